-- The same inside a transaction of the caller's, which has to survive: the run's savepoint stands before it, so that a read that
-- fails can be taken back, and so can the work. A frozen one may have written this very record in an earlier run: see noted.sql.
-- How long it may last is its caller's to say.
{take_lock};

{read_entered} AND NOT ({frozen})
