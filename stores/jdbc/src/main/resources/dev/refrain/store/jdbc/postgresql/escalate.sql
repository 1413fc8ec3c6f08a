-- A late runner that completes while its record is being listed cannot see the entry and leaves it behind: listing the
-- key again takes that entry's place.
WITH done AS (
    UPDATE refrain_record r
    SET state = 4, parts = (r.parts | 8)::smallint
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :reason::text[]) AS a (lookup, id, fence, reason)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
    RETURNING r.lookup, r.id, r.fence, a.reason
),
listed AS (
    INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
    SELECT h.lookup, h.id, h.fence, clock_timestamp(), h.reason FROM done h
    ON CONFLICT (lookup) DO UPDATE
    SET record_id = excluded.record_id, fence = excluded.fence, since = excluded.since, reason = excluded.reason
)
SELECT lookup, {awaited_done} FROM done
