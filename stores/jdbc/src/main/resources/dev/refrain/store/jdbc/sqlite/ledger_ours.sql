INSERT INTO refrain_ledger_entry (ledger, key, ours, ours_at, confirmed)
VALUES (:ledger, :key, :amount, {now}, 1)
ON CONFLICT (ledger, key) DO UPDATE
SET ours = excluded.ours, ours_at = coalesce(ours_at, excluded.ours_at), confirmed = 1
WHERE ours IS NOT excluded.ours OR NOT confirmed
