-- Finds work to finish without its caller, and puts off the next time in the same step: of many who look at once, one finds it. Nothing is
-- waited for: a record that someone is just writing to, and one that another looks at, is left out.
{pick} SELECT r.lookup, r.id, y.attempts, r.state, r.hold, r.lease_until + :grace AS left_alone_until,
    r.state = 3 AND {alive} OR r.state = 1 AND NOT r.hold AND r.lease_until + :grace <= {now} AS idle
FROM refrain_payload y FORCE INDEX (refrain_payload_due_at)
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = y.lookup AND r.id = y.record_id
WHERE y.kind = 2 AND y.namespace = :namespace AND y.due_at <= {statement_now}
ORDER BY y.due_at LIMIT :limit
FOR UPDATE SKIP LOCKED;

UPDATE {picked(id uuid, attempts bigint, state bigint, hold bool, left_alone_until bigint, idle bool)}
STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = p.id AND y.kind = 2
SET y.attempts = p.attempts + (p.idle AND p.attempts < :attempts),
    y.due_at = CASE
        WHEN p.idle AND p.attempts < :attempts THEN {now} + least(:pause * (1 << least(p.attempts, 20)), :longest)
        WHEN p.state = 1 AND NOT p.hold THEN p.left_alone_until
        ELSE {now} + :longest END;

UPDATE {picked(lookup uuid, attempts bigint, idle bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
SET r.state = 4, r.parts = r.parts | 8
WHERE p.idle AND p.attempts >= :attempts;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {worn_reason}
FROM (SELECT r.lookup, r.id, r.fence, r.recovery_point, p.attempts
    FROM {picked(lookup uuid, attempts bigint, idle bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
    WHERE p.idle AND p.attempts >= :attempts) h
{listed_anew};

SELECT r.id, p.attempts + 1 AS attempt, r.recipe, r.fingerprint, r.scope, r.namespace, r.key,
    p.idle AND p.attempts < :attempts AS taken, p.idle AND p.attempts >= :attempts AS worn, o.name AS operation
FROM {picked(lookup uuid, attempts bigint, idle bool)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
LEFT JOIN refrain_operation o ON o.id = r.operation
