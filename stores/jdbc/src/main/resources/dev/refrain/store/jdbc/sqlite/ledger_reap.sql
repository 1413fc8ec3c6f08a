DELETE FROM refrain_ledger_entry
WHERE ledger = :ledger AND key IN (
    SELECT e.key FROM refrain_ledger_entry e
    WHERE e.ledger = :ledger AND e.ours IS NOT NULL AND e.theirs IS NOT NULL AND e.finding = e.dismissed
        AND (e.confirmed OR e.finding <> 0)
        AND e.theirs_at < {now} - :agreed_for / 1000
    ORDER BY e.theirs_at
    LIMIT :limit);

SELECT changes() AS reaped
