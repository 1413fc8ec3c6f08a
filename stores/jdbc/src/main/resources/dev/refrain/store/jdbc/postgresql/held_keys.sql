-- Which of these keys a transaction has the lock of (take_lock.sql): its record may be made and not committed, and whoever makes one
-- waits for it. The lock is looked for and not tried: to have it for a moment would tell a twin that it is busy.
SELECT a.lookup
FROM unnest(:lookup::uuid[], :lock::bigint[]) AS a (lookup, lock)
WHERE EXISTS (SELECT FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        AND l.classid::bigint = (a.lock >> 32) & 4294967295 AND l.objid::bigint = a.lock & 4294967295)
