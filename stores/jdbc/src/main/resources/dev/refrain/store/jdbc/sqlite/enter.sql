{begin_work};

{read_entered}
