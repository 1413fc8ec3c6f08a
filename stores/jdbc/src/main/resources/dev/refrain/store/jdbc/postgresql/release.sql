-- The record stays: id, fingerprint, fence, expiry.
WITH released AS (
    UPDATE refrain_record r
    SET state = 3
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :pause::bigint[]) AS a (lookup, id, fence, pause)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
    RETURNING r.lookup, r.id, r.parts, a.pause
),
put_off AS (
    UPDATE refrain_payload p
    SET due_at = greatest(p.due_at, clock_timestamp() + x.pause * interval '1 microsecond')
    FROM released x
    WHERE x.parts & 2 <> 0 AND x.pause > 0 AND p.record_id = x.id AND p.kind = 2
)
SELECT lookup FROM released
