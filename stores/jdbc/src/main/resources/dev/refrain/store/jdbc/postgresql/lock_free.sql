-- Locks those of these records that nobody else has locked, in the order of the primary key, and waits for none of them. A lock of the whole table
-- makes this fail, and not what follows.
LOCK TABLE refrain_record IN ROW EXCLUSIVE MODE;

SELECT r.lookup
FROM refrain_record r
WHERE r.lookup = ANY (:lookup::uuid[])
ORDER BY r.lookup
FOR UPDATE SKIP LOCKED
