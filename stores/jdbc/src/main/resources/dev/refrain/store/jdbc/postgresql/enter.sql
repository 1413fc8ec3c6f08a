-- For a transaction of our own. One round trip, two statements: the lock is tested without waiting, and the record is
-- read by a later snapshot than the lock, or what a twin committed in between would be missed. Above READ COMMITTED
-- there is no later snapshot (frozen): nothing is read here, and the record is looked for outside of this transaction. To read
-- it here as well would be worse than useless at SERIALIZABLE, where it locks a page of the index against the inserts of others.
-- It is also bounded here, without a round trip of its own: if its client is frozen or cut off, nobody else ends it.
SELECT pg_try_advisory_xact_lock(:lock) AS granted, {frozen} AS frozen, {bounded};

{read_entered} AND NOT ({frozen})
