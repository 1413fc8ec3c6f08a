-- Finds work to finish without its caller, and puts off the next time in the same step: of many who look at once, one finds it.
-- Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_left (
    lookup BLOB PRIMARY KEY, id BLOB NOT NULL, attempts INTEGER NOT NULL, state INTEGER NOT NULL, hold INTEGER NOT NULL, left_alone_until INTEGER NOT NULL,
    taken INTEGER NOT NULL, worn INTEGER NOT NULL);

DELETE FROM temp.refrain_left;

INSERT INTO temp.refrain_left
SELECT lookup, id, attempts, state, hold, left_alone_until, idle AND attempts < :attempts, idle AND attempts >= :attempts
FROM (
    SELECT r.lookup, r.id, p.attempts, r.state, r.hold, r.lease_until + :grace / 1000 AS left_alone_until,
        r.state = 3 AND {alive}
            OR r.state = 1 AND NOT r.hold AND r.lease_until + :grace / 1000 <= {now} AS idle
    FROM refrain_payload p JOIN refrain_record r ON r.lookup = p.lookup AND r.id = p.record_id
    WHERE p.kind = 2 AND p.namespace = :namespace AND p.due_at <= {now}
    ORDER BY p.due_at LIMIT :limit);

UPDATE refrain_payload
SET attempts = d.attempts + d.taken,
    due_at = CASE
        WHEN d.taken THEN {now} + min(:pause * (1 << min(d.attempts, 20)), :longest) / 1000
        WHEN d.state = 1 AND NOT d.hold THEN d.left_alone_until
        ELSE {now} + :longest / 1000 END
FROM temp.refrain_left d
WHERE record_id = d.id AND kind = 2;

UPDATE refrain_record SET state = 4, parts = parts | 8
WHERE lookup IN (SELECT lookup FROM temp.refrain_left WHERE worn);

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {worn_reason}
FROM (SELECT r.lookup, r.id, r.fence, r.recovery_point, d.attempts
    FROM temp.refrain_left d JOIN refrain_record r ON r.lookup = d.lookup WHERE d.worn) h;

SELECT d.id, d.attempts + 1 AS attempt, r.recipe, r.fingerprint, r.scope, r.namespace, r.key, d.taken, d.worn,
    o.name AS operation
FROM temp.refrain_left d JOIN refrain_record r ON r.lookup = d.lookup LEFT JOIN refrain_operation o ON o.id = r.operation
