UPDATE refrain_record r
SET lease_until = clock_timestamp() + a.lease * interval '1 microsecond'
FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :lease::bigint[]) AS a (lookup, id, fence, lease)
WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
RETURNING r.lookup
