INSERT INTO refrain_ledger_entry AS e (ledger, key, ours, ours_at, confirmed)
SELECT a.ledger, a.key, a.amount, clock_timestamp(), true
FROM unnest(:ledger::text[], :key::text[], :amount::bigint[]) AS a (ledger, key, amount)
ON CONFLICT (ledger, key) DO UPDATE
SET ours = excluded.ours, ours_at = coalesce(e.ours_at, excluded.ours_at), confirmed = true
WHERE e.ours IS DISTINCT FROM excluded.ours OR NOT e.confirmed
