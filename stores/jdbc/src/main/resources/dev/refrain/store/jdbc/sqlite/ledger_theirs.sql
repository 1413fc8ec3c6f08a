-- What was read before and is as it was is not written again.
INSERT INTO refrain_ledger_entry (ledger, key, theirs, theirs_at, theirs_id)
VALUES (:ledger, :key, :amount, {now}, :id)
ON CONFLICT (ledger, key) DO UPDATE
SET theirs = CASE WHEN theirs_id <> excluded.theirs_id THEN theirs ELSE excluded.theirs END,
    theirs_at = coalesce(theirs_at, excluded.theirs_at),
    theirs_id = coalesce(theirs_id, excluded.theirs_id),
    twice = twice OR coalesce(theirs_id <> excluded.theirs_id, 0)
WHERE theirs_id IS NULL
    OR theirs_id = excluded.theirs_id AND theirs <> excluded.theirs
    OR theirs_id <> excluded.theirs_id AND NOT twice
