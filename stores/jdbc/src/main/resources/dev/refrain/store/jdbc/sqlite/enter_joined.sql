{take_lock};

SAVEPOINT refrain_work;

{read_entered}
