-- The same inside a transaction of the caller's, which has to survive: the savepoint stands before the read, so that a
-- read that fails can be taken back, and so can the work.
{take_lock};

SAVEPOINT refrain_work_0;

{read_entered}
