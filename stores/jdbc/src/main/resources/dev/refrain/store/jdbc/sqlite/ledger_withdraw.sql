-- If their ledger shows it all the same, that is for somebody to know.
UPDATE refrain_ledger_entry SET ours = NULL, ours_at = NULL, confirmed = false
WHERE ledger = :ledger AND key = :key AND theirs IS NOT NULL;

DELETE FROM refrain_ledger_entry WHERE ledger = :ledger AND key = :key AND theirs IS NULL
