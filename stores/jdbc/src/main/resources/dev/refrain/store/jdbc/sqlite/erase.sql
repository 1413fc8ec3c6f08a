-- A scope's records lie side by side in the primary key; a person's are found by their own index (subject given).
-- What cannot be finished without what it says is left whole, and counted; only the request that it kept for people goes. The audit says how many, who and why; whose
-- they were only as a short hash.
CREATE TEMP TABLE IF NOT EXISTS refrain_concerned (lookup BLOB PRIMARY KEY, id BLOB NOT NULL, settled INTEGER NOT NULL);

DELETE FROM temp.refrain_concerned;

INSERT INTO temp.refrain_concerned
SELECT r.lookup, r.id, {settled} FROM refrain_record r
WHERE :subject IS NULL AND r.lookup BETWEEN :first AND :last AND r.scope = :scope
UNION ALL
SELECT r.lookup, r.id, {settled} FROM refrain_record r
WHERE r.subject = :subject AND r.scope = :scope;

DELETE FROM temp.refrain_concerned WHERE settled AND lookup NOT IN (
    SELECT lookup FROM temp.refrain_concerned WHERE settled ORDER BY lookup LIMIT :limit);

UPDATE refrain_record
SET fingerprint = NULL, recipe = NULL, scope = NULL, namespace = NULL, key = NULL, subject = NULL,
    caller = NULL, trace_id = NULL, parts = parts & 16
WHERE lookup IN (SELECT lookup FROM temp.refrain_concerned WHERE settled);

DELETE FROM refrain_payload WHERE record_id IN (SELECT id FROM temp.refrain_concerned WHERE settled);

DELETE FROM refrain_payload WHERE kind = 32 AND record_id IN (SELECT id FROM temp.refrain_concerned WHERE NOT settled);

UPDATE refrain_attempt
SET trace_id = NULL, end_reason = substr(end_reason, 1, instr(end_reason || ':', ':') - 1)
WHERE record_id IN (SELECT id FROM temp.refrain_concerned WHERE settled);

INSERT INTO refrain_audit (at, action, target, who, why)
SELECT {now},
    'erase: ' || count(*) FILTER (WHERE settled) || ' records, ' || count(*) FILTER (WHERE NOT settled)
        || ' left in use',
    :target, :who, :why
FROM temp.refrain_concerned;

SELECT count(*) FILTER (WHERE settled) AS erased, count(*) FILTER (WHERE NOT settled) AS in_use,
    count(*) FILTER (WHERE settled) >= :limit AS more
FROM temp.refrain_concerned
