SELECT e.key, e.finding, e.record_id, e.point, e.ours, e.theirs, e.confirmed, e.found_at * 1000 AS found_at
FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.finding <> 0 AND e.dismissed = 0 AND (e.found_at * 1000, e.key) > (:after_at, :after_key)
ORDER BY e.found_at, e.key
LIMIT :limit
