-- Which of these keys a transaction has the lock of (take_lock). The lock is looked for and not tried: to have it for a moment would tell a twin
-- that it is busy.
SELECT a.lookup FROM {rows(lookup uuid)}
WHERE IS_USED_LOCK({lock_name(a.lookup)}) IS NOT NULL
