-- The same inside a transaction of the caller's, which has to survive: the run's savepoint stands before it, so that a read that
-- fails can be taken back, and so can the work.
{take_lock};

{read_entered}
