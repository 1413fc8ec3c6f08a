SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = 1
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid, lease bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.lease_until = {now} + a.lease
