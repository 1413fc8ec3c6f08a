-- One round trip, three statements: the lock is tested without waiting, and the record is read by a later snapshot than
-- the lock, or what a twin committed in between would be missed. Above READ COMMITTED there is no later snapshot
-- (frozen): then the answer "absent" has to be checked outside of this transaction.
--
-- The savepoint stands before the read, so that a read that fails can be taken back without harming the transaction.
SELECT pg_try_advisory_xact_lock(:lock) AS granted,
    current_setting('transaction_isolation') <> 'read committed' AS frozen;

SAVEPOINT refrain_work;

SELECT r.lookup, false AS fresh,
    r.scope IS NULL OR (r.scope = :scope AND r.namespace = :namespace AND r.key = :key) AS same,
    {record}
FROM refrain_record r WHERE r.lookup = :lookup
