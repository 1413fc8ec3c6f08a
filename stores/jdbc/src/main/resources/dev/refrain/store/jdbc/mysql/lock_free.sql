-- Locks those of these records that nobody else has locked, in the order of the primary key, and waits for none of them.
SELECT r.lookup
FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
FOR UPDATE SKIP LOCKED
