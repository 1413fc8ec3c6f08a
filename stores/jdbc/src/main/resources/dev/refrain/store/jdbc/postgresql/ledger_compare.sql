-- Of two who compare at once, the second waits for the rows of the first and sees what it decided.
WITH open AS MATERIALIZED (
    SELECT e.key, e.finding AS before, ({ledger_finding})::smallint AS kind
    FROM refrain_ledger_entry e
    WHERE {ledger_open}
    ORDER BY e.key
    LIMIT :limit
    FOR UPDATE
),
changed AS (
    UPDATE refrain_ledger_entry e
    SET finding = o.kind, found_at = CASE WHEN o.kind <> 0 THEN clock_timestamp() END,
        dismissed = CASE WHEN o.kind = e.dismissed THEN e.dismissed ELSE 0 END
    FROM open o
    WHERE e.ledger = :ledger AND e.key = o.key AND o.kind <> o.before
)
SELECT o.key, o.before, o.kind FROM open o ORDER BY o.key
