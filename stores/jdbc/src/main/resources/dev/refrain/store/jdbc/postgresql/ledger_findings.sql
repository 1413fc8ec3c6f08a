SELECT e.key, e.finding, e.record_id, e.point, e.ours, e.theirs, e.confirmed,
    (extract(epoch FROM e.found_at) * 1000000)::bigint AS found_at
FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.finding <> 0 AND e.dismissed = 0
    AND (e.found_at, e.key) > ('epoch'::timestamptz + :after_at * interval '1 microsecond', :after_key)
ORDER BY e.found_at, e.key
LIMIT :limit
