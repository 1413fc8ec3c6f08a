{take_lock};

SAVEPOINT refrain_work_0;

{read_entered}
