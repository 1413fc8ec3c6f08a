-- Only a flow comes here. What the last phase carried is replaced by what this one carries, or dropped. A lease that is left as it is
-- changes no index, so that the row is rewritten in place.
UPDATE refrain_record r
SET recovery_point = a.recovery_point, carried = a.carried,
    call_announced_at = CASE WHEN a.recovery_point LIKE '%!' THEN clock_timestamp() END,
    lease_until = CASE WHEN a.lease IS NULL THEN r.lease_until
        ELSE clock_timestamp() + a.lease * interval '1 microsecond' END
FROM unnest(
    :lookup::uuid[], :id::uuid[], :fence::bigint[], :recovery_point::text[], :carried::bytea[], :lease::bigint[]
) AS a (lookup, id, fence, recovery_point, carried, lease)
WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
RETURNING r.lookup
