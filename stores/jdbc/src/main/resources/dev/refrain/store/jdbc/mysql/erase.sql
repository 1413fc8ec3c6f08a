-- A scope's records lie side by side in the primary key; a person's are found by their own index (subject given). What cannot be finished
-- without what it says is left whole, and counted; only the request that it kept for people goes. What somebody else has locked is left for the
-- next round. The audit says how many, who and why; whose they were only as a short hash.
{pick} SELECT r.lookup, r.id FROM refrain_record r
WHERE {concerned} AND {settled}
ORDER BY r.lookup LIMIT :limit
FOR UPDATE SKIP LOCKED;

UPDATE {picked(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
SET r.fingerprint = NULL, r.recipe = NULL, r.scope = NULL, r.namespace = NULL, r.key = NULL, r.subject = NULL, r.caller = NULL,
    r.trace_id = NULL, r.parts = r.parts & 16;

DELETE y FROM {picked(id uuid)} STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = p.id;

UPDATE {picked(id uuid)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = p.id
SET t.trace_id = NULL, t.end_reason = SUBSTRING_INDEX(t.end_reason, ':', 1);

DELETE y FROM refrain_record r STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 32
WHERE {concerned} AND NOT {settled} AND r.parts & 32 <> 0;

INSERT INTO refrain_audit (at, action, target, who, why)
SELECT {now}, CONCAT('erase: ', (SELECT count(*) FROM {picked(lookup uuid)}), ' records, ',
    (SELECT count(*) FROM refrain_record r WHERE {concerned} AND NOT {settled}), ' left in use'), :target, :who, :why
FROM DUAL;

SELECT (SELECT count(*) FROM {picked(lookup uuid)}) AS erased,
    (SELECT count(*) FROM refrain_record r WHERE {concerned} AND NOT {settled}) AS in_use,
    EXISTS (SELECT 1 FROM refrain_record r WHERE {concerned} AND {settled}) AS more
FROM DUAL
