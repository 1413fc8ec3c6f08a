SELECT (extract(epoch FROM t.now) * 1000000)::bigint AS begun,
    (extract(epoch FROM greatest(t.now - :reach * interval '1 microsecond', least(
        coalesce((SELECT l.read_until FROM refrain_ledger l WHERE l.name = :ledger), '-infinity'),
        coalesce((SELECT min(e.ours_at) FROM refrain_ledger_entry e
            WHERE e.ledger = :ledger AND e.theirs IS NULL), 'infinity')))
        - :overlap * interval '1 microsecond') * 1000000)::bigint AS since
FROM (SELECT clock_timestamp() AS now) t
