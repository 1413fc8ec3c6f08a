-- Locks those of these records that nobody else has locked, in the order of the primary key, and waits for none.
SELECT r.lookup
FROM refrain_record r
WHERE r.lookup = ANY (:lookup::uuid[])
ORDER BY r.lookup
FOR UPDATE SKIP LOCKED
