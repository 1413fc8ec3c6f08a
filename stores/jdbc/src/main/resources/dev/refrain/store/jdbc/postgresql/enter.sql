-- For a transaction of our own. One round trip, two statements: the lock is tested without waiting, and the record is
-- read by a later snapshot than the lock, or what a twin committed in between would be missed. Above READ COMMITTED
-- there is no later snapshot (frozen): then the answer "absent" has to be checked outside of this transaction.
{take_lock};

{read_entered}
