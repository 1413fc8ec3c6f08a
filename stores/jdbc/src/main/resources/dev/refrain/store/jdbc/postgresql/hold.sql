-- A claim under `hold` whose lease is over: whether it took effect is not known, so a person, a rule or the reconciler
-- has to look.
WITH held AS (
    UPDATE refrain_record r
    SET state = 4, parts = (r.parts | 8)::smallint
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[]) AS a (lookup, id, fence)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence
        AND r.state = 1 AND r.hold AND r.lease_until <= clock_timestamp()
    RETURNING r.lookup, r.id, r.fence, r.recovery_point, r.parts, r.operation
),
listed AS (
    INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
    SELECT h.lookup, h.id, h.fence, clock_timestamp(), {lease_ended_reason} FROM held h
    ON CONFLICT (lookup) DO UPDATE
    SET record_id = excluded.record_id, fence = excluded.fence, since = excluded.since, reason = excluded.reason
)
SELECT lookup FROM held
