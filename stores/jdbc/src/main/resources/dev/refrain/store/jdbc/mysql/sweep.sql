-- Settles claims whose lease is over and that nobody retries. Many sweeps at once do no harm: what another one holds is skipped.
{pick} SELECT r.lookup, r.hold
FROM refrain_record r FORCE INDEX (refrain_record_lease_until)
WHERE r.state = 1 AND r.lease_until <= {statement_now} - :grace
ORDER BY r.lease_until LIMIT :limit
FOR UPDATE SKIP LOCKED;

UPDATE {picked(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
SET r.state = CASE WHEN r.hold THEN 4 ELSE 3 END, r.parts = r.parts | CASE WHEN r.hold THEN 8 ELSE 16 END;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {lease_ended_reason}
FROM {picked(lookup uuid, hold bool)} STRAIGHT_JOIN refrain_record h FORCE INDEX (PRIMARY) ON h.lookup = p.lookup
WHERE p.hold
{listed_anew};

DELETE y FROM {picked(lookup uuid, hold bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
    STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 32
WHERE NOT p.hold AND r.parts & 32 <> 0;

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence, CASE WHEN r.fence = 1 THEN r.trace_id END, CASE WHEN r.fence = 1 THEN r.claimed_at END, r.lease_until,
    'lease ended'
FROM {picked(lookup uuid, hold bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
WHERE NOT p.hold
{ended_anew};

-- A row for each of the first that are held, or one without any.
SELECT c.released, c.held, c.more, h.id, h.scope, h.namespace, h.key, o.name AS operation
FROM (SELECT coalesce(sum(NOT p.hold), 0) AS released, coalesce(sum(p.hold), 0) AS held, count(*) >= :limit AS more
    FROM {picked(hold bool)}) c
LEFT JOIN (SELECT r.id, r.scope, r.namespace, r.key, r.operation
    FROM {picked(lookup uuid, hold bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
    WHERE p.hold ORDER BY r.lookup LIMIT {held_listed}) h ON true
LEFT JOIN refrain_operation o ON o.id = h.operation
