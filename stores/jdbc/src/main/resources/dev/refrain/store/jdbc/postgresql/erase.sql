-- A scope's records lie side by side in the primary key; a person's are found by their own index (subject given).
-- What cannot be finished without what it says is left whole, and counted; only the request that it kept for people goes. The audit says how many, who and why; whose
-- they were only as a short hash.
WITH concerned AS MATERIALIZED (
    SELECT r.lookup, r.id, r.fence, r.state, {settled} AS settled FROM refrain_record r
    WHERE :subject::text IS NULL AND r.lookup BETWEEN :first AND :last AND r.scope = :scope
    UNION ALL
    SELECT r.lookup, r.id, r.fence, r.state, {settled} AS settled FROM refrain_record r
    WHERE r.subject = :subject AND r.scope = :scope
),
settled AS (
    SELECT c.lookup, c.id, c.fence, c.state FROM concerned c WHERE c.settled ORDER BY c.lookup LIMIT :limit
),
erased AS (
    -- Only as it was seen: the payloads of a run that ended while we waited for its row are not in our snapshot and would
    -- stay behind. Such a record is left for the next round.
    UPDATE refrain_record r
    SET fingerprint = NULL, recipe = NULL, scope = NULL, namespace = NULL, key = NULL, subject = NULL, outcome = NULL, carried = NULL,
        caller = NULL, trace_id = NULL, parts = (r.parts & 16)::smallint
    FROM settled s
    WHERE r.lookup = s.lookup AND r.id = s.id AND r.fence = s.fence AND r.state = s.state
    RETURNING r.id
),
emptied AS (
    DELETE FROM refrain_payload p USING erased e WHERE p.record_id = e.id
),
unkept AS (
    DELETE FROM refrain_payload p USING concerned c WHERE NOT c.settled AND p.record_id = c.id AND p.kind = 32
),
nameless AS (
    UPDATE refrain_attempt t SET trace_id = NULL, end_reason = split_part(t.end_reason, ':', 1)
    FROM erased e WHERE t.record_id = e.id
),
counted AS (
    SELECT (SELECT count(*) FROM erased) AS erased, (SELECT count(*) FROM concerned WHERE NOT settled) AS in_use,
        (SELECT count(*) FROM settled) >= :limit
            OR (SELECT count(*) FROM settled) > (SELECT count(*) FROM erased) AS more
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), 'erase: ' || c.erased || ' records, ' || c.in_use || ' left in use', :target, :who, :why
    FROM counted c
)
SELECT erased, in_use, more FROM counted
