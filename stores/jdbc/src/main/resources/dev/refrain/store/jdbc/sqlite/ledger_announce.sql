INSERT INTO refrain_ledger_entry (ledger, key, record_id, point, ours, ours_at)
VALUES (:ledger, :key, :record_id, :point, :amount, {now})
ON CONFLICT (ledger, key) DO UPDATE
SET record_id = excluded.record_id, point = excluded.point, ours = excluded.ours,
    ours_at = coalesce(ours_at, excluded.ours_at)
