{take_lock};

SAVEPOINT refrain_work_0;

SAVEPOINT refrain_open;

{read_entered}
