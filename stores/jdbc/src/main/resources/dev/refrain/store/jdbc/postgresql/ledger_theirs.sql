-- What was read before and is as it was is not written again.
INSERT INTO refrain_ledger_entry AS e (ledger, key, theirs, theirs_at, theirs_id)
SELECT a.ledger, a.key, a.amount, clock_timestamp(), a.id
FROM unnest(:ledger::text[], :key::text[], :amount::bigint[], :id::text[]) AS a (ledger, key, amount, id)
ON CONFLICT (ledger, key) DO UPDATE
SET theirs = CASE WHEN e.theirs_id <> excluded.theirs_id THEN e.theirs ELSE excluded.theirs END,
    theirs_at = coalesce(e.theirs_at, excluded.theirs_at),
    theirs_id = coalesce(e.theirs_id, excluded.theirs_id),
    twice = e.twice OR coalesce(e.theirs_id <> excluded.theirs_id, false)
WHERE e.theirs_id IS NULL
    OR e.theirs_id = excluded.theirs_id AND e.theirs <> excluded.theirs
    OR e.theirs_id <> excluded.theirs_id AND NOT e.twice
