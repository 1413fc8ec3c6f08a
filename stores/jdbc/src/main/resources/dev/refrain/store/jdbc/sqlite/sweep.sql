-- Settles claims whose lease is over and that nobody retries. Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_due (lookup BLOB PRIMARY KEY, hold INTEGER NOT NULL);

DELETE FROM temp.refrain_due;

INSERT INTO temp.refrain_due
SELECT lookup, hold FROM refrain_record
WHERE state = 1 AND lease_until <= {now} - :grace / 1000
ORDER BY lease_until LIMIT :limit;

UPDATE refrain_record
SET state = CASE WHEN hold THEN 4 ELSE 3 END, parts = CASE WHEN hold THEN parts | 8 ELSE parts | 16 END
WHERE lookup IN (SELECT lookup FROM temp.refrain_due);

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {lease_ended_reason}
FROM refrain_record h WHERE h.lookup IN (SELECT lookup FROM temp.refrain_due WHERE hold);

DELETE FROM refrain_payload
WHERE kind = 32 AND record_id IN (
    SELECT r.id FROM refrain_record r WHERE r.lookup IN (SELECT lookup FROM temp.refrain_due WHERE NOT hold));

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence, CASE WHEN r.fence = 1 THEN r.trace_id END, CASE WHEN r.fence = 1 THEN r.claimed_at END, r.lease_until,
    'lease ended'
FROM refrain_record r WHERE r.lookup IN (SELECT lookup FROM temp.refrain_due WHERE NOT hold)
ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason;

-- A row for each of the first that are held, or one without any.
SELECT c.released, c.held, c.more, h.id, h.scope, h.namespace, h.key, o.name AS operation
FROM (SELECT count(*) FILTER (WHERE NOT hold) AS released, count(*) FILTER (WHERE hold) AS held, count(*) >= :limit AS more
    FROM temp.refrain_due) c
LEFT JOIN (SELECT r.* FROM temp.refrain_due d JOIN refrain_record r ON r.lookup = d.lookup WHERE d.hold
    ORDER BY d.lookup LIMIT {held_listed}) h ON true
LEFT JOIN refrain_operation o ON o.id = h.operation
