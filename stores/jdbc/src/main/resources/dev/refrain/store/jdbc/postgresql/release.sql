-- The record stays: id, fingerprint, fence, expiry.
UPDATE refrain_record r
SET state = 3
FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[]) AS a (lookup, id, fence)
WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
RETURNING r.lookup
