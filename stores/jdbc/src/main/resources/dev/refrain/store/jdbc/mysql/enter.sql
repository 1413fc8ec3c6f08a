-- For a transaction of our own: nothing was read in it before, so what is read after the lock is not older than it.
SELECT GET_LOCK({lock_name(:lookup)}, 0) AS granted, 0 AS frozen;

-- As long as it is there, so is what the work wrote: a deadlock rolls everything back. See OpenTransactionCheck.
SAVEPOINT refrain_open_0;

{read_entered}
