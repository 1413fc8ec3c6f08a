{take_lock};

SAVEPOINT refrain_work_0;

SAVEPOINT refrain_open_0;

{read_entered}
