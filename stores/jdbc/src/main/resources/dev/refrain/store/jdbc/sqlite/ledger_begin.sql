SELECT t.now * 1000 AS begun,
    (max(t.now - :reach / 1000, min(
        coalesce((SELECT l.read_until FROM refrain_ledger l WHERE l.name = :ledger), 0),
        coalesce((SELECT min(e.ours_at) FROM refrain_ledger_entry e
            WHERE e.ledger = :ledger AND e.theirs IS NULL), t.now)))
        - :overlap / 1000) * 1000 AS since
FROM (SELECT {now} AS now) t
