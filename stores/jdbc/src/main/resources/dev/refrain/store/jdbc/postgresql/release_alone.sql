-- As release.sql, without the tables of payloads and of waiters, one of which is locked. What has a stored request to put off, or a kept
-- one to remove, is left out.
WITH done AS (
    UPDATE refrain_record r
    SET state = 3, parts = (r.parts | 16)::smallint
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :pause::bigint[], :reason::text[])
        AS a (lookup, id, fence, pause, reason)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1 AND (r.parts & 2 = 0 OR a.pause = 0)
        AND r.parts & 32 = 0
    RETURNING r.lookup, r.id, r.fence, r.claimed_at, r.trace_id, a.reason
),
ended AS (
    INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT x.id, x.fence, CASE WHEN x.fence = 1 THEN x.trace_id END, CASE WHEN x.fence = 1 THEN x.claimed_at END,
        clock_timestamp(), x.reason
    FROM done x
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
)
SELECT lookup, true AS awaited FROM done
