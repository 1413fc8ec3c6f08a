-- The record stays: id, fingerprint, fence, expiry. Why and when is said by the attempt.
WITH done AS (
    UPDATE refrain_record r
    SET state = 3, parts = (r.parts | 16)::smallint
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :pause::bigint[], :reason::text[])
        AS a (lookup, id, fence, pause, reason)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
    RETURNING r.lookup, r.id, r.fence, r.parts, r.claimed_at, r.trace_id, a.pause, a.reason
),
put_off AS (
    UPDATE refrain_payload p
    SET due_at = greatest(p.due_at, clock_timestamp() + x.pause * interval '1 microsecond')
    FROM done x
    WHERE x.parts & 2 <> 0 AND x.pause > 0 AND p.record_id = x.id AND p.kind = 2
),
dropped AS (
    DELETE FROM refrain_payload p USING done x WHERE x.parts & 32 <> 0 AND p.record_id = x.id AND p.kind = 32
),
ended AS (
    INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT x.id, x.fence, CASE WHEN x.fence = 1 THEN x.trace_id END, CASE WHEN x.fence = 1 THEN x.claimed_at END,
        clock_timestamp(), x.reason
    FROM done x
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
)
SELECT lookup, {awaited_done} FROM done
