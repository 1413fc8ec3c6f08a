INSERT INTO refrain_ledger_entry AS e (ledger, key, record_id, point, ours, ours_at)
VALUES (:ledger, :key, :record_id, :point, :amount, clock_timestamp())
ON CONFLICT (ledger, key) DO UPDATE
SET record_id = excluded.record_id, point = excluded.point, ours = excluded.ours,
    ours_at = coalesce(e.ours_at, excluded.ours_at)
