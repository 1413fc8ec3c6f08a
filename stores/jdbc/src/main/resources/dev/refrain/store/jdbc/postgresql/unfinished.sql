-- What is unfinished has its request stored: those rows are looked at, and their records by key.
SELECT r.scope, r.namespace, r.key, r.id, r.state, r.recovery_point, p.attempts,
    (extract(epoch FROM clock_timestamp() - r.claimed_at) * 1000000)::bigint AS age
FROM refrain_payload p JOIN refrain_record r ON r.lookup = p.lookup AND r.id = p.record_id
WHERE p.kind = 2 AND p.namespace = :namespace
    AND r.claimed_at < clock_timestamp() - :longer_than * interval '1 microsecond'
    AND r.state IN (1, 3, 4) AND {alive}
ORDER BY r.claimed_at
LIMIT :limit
