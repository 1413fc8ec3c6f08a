{take_lock};

{read_entered}
