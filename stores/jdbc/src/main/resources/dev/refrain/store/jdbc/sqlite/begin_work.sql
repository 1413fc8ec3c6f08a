{take_lock};

-- As long as it is there, so is what the work wrote: see still_open.
SAVEPOINT refrain_open_0
