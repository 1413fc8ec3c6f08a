WITH old AS (
    SELECT e.key FROM refrain_ledger_entry e
    WHERE e.ledger = :ledger AND e.ours IS NOT NULL AND e.theirs IS NOT NULL AND e.finding = e.dismissed
        AND (e.confirmed OR e.finding <> 0)
        AND e.theirs_at < clock_timestamp() - :agreed_for * interval '1 microsecond'
    ORDER BY e.theirs_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
),
gone AS (DELETE FROM refrain_ledger_entry e USING old o WHERE e.ledger = :ledger AND e.key = o.key RETURNING 1)
SELECT count(*) AS reaped FROM gone
