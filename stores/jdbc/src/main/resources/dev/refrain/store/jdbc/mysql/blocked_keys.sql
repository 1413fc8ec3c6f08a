-- Which of these keys cannot be made now, because somebody has made their record and not committed yet. Only after a batch has failed. What is
-- not committed is seen by a dirty read; what can be locked is free.
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;

{pick} SELECT r.lookup FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup;

SELECT p.lookup FROM {picked(lookup uuid)}
WHERE NOT EXISTS (SELECT 1 FROM refrain_record r WHERE r.lookup = p.lookup FOR UPDATE SKIP LOCKED)
