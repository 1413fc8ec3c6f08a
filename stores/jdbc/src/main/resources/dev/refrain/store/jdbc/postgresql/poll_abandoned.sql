-- Finds work to finish without its caller, and puts off the next time in the same step: of many who look at once, one finds it.
-- Nothing is waited for: a record that someone is just writing to, and one that another looks at, is left out.
WITH due AS MATERIALIZED (
    SELECT p.record_id, p.attempts, r.lookup, r.fence, r.state, r.hold, r.lease_until, r.recipe, r.fingerprint, r.scope,
        r.namespace, r.key, r.operation,
        r.lease_until + :grace * interval '1 microsecond' AS left_alone_until,
        r.state = 3 AND {alive}
            OR r.state = 1 AND NOT r.hold
                AND r.lease_until + :grace * interval '1 microsecond' <= clock_timestamp() AS idle
    FROM refrain_payload p JOIN refrain_record r ON r.lookup = p.lookup AND r.id = p.record_id
    WHERE p.kind = 2 AND p.namespace = :namespace AND p.due_at <= clock_timestamp()
    ORDER BY p.due_at
    LIMIT :limit
    FOR UPDATE OF p, r SKIP LOCKED
),
judged AS (
    SELECT d.*, d.idle AND d.attempts < :attempts AS taken, d.idle AND d.attempts >= :attempts AS worn FROM due d
),
put_off AS (
    UPDATE refrain_payload p
    SET attempts = CASE WHEN j.taken THEN p.attempts + 1 ELSE p.attempts END,
        due_at = CASE
            WHEN j.taken THEN clock_timestamp()
                + least(:pause * (1::bigint << least(j.attempts, 20)), :longest) * interval '1 microsecond'
            WHEN j.state = 1 AND NOT j.hold THEN j.left_alone_until
            ELSE clock_timestamp() + :longest * interval '1 microsecond' END
    FROM judged j
    WHERE p.record_id = j.record_id AND p.kind = 2
),
held AS (
    UPDATE refrain_record r
    SET state = 4, parts = (r.parts | 8)::smallint
    FROM judged j
    WHERE j.worn AND r.lookup = j.lookup AND r.id = j.record_id AND r.fence = j.fence AND r.state = j.state
    RETURNING r.lookup, r.id, r.fence, j.attempts, r.recovery_point
),
listed AS (
    INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
    SELECT h.lookup, h.id, h.fence, clock_timestamp(),
        {worn_reason}
    FROM held h
    ON CONFLICT (lookup) DO UPDATE
    SET record_id = excluded.record_id, fence = excluded.fence, since = excluded.since, reason = excluded.reason
)
SELECT j.record_id AS id, j.attempts + 1 AS attempt, j.recipe, j.fingerprint, j.scope, j.namespace, j.key, j.taken, j.worn, o.name AS operation
FROM judged j LEFT JOIN refrain_operation o ON o.id = j.operation
