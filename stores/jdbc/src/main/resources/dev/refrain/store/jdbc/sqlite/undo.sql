-- The number is that of the run: one that is within another, or that never came to set its savepoint, must not go back to
-- the other's.
ROLLBACK TO SAVEPOINT refrain_work_0;

SAVEPOINT refrain_open_0
