-- The same inside a transaction of the caller's, which has to survive: the run's savepoint stands before it, so that a read that
-- fails can be taken back, and so can the work. What is read here may be older than the lock, so the record is looked for outside.
{take_lock}
