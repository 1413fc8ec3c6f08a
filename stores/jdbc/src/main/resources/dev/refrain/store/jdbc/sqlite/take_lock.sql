-- Taking the one write lock is the test: who does not get it is told to come back, and never "in progress", because
-- whoever has it may be writing something quite different. Deleting nothing takes the lock and changes nothing. What is
-- read after that cannot be stale.
DELETE FROM refrain_meta WHERE name = '';

SELECT 1 AS granted, 0 AS frozen
