-- Of two who judge at once, the second waits for the rows of the first and sees what it decided. What is too young for
-- this pass may have been old enough for the other: a finding is not closed for being young.
WITH open AS MATERIALIZED (
    SELECT e.key, e.finding AS before, CASE
        WHEN e.twice THEN 4
        WHEN e.ours <> e.theirs THEN 3
        WHEN e.ours IS NULL THEN CASE
            WHEN e.finding = 2 OR e.theirs_at < clock_timestamp() - :settling * interval '1 microsecond' THEN 2
            ELSE 0 END
        WHEN e.theirs IS NOT NULL AND e.confirmed THEN 0
        WHEN e.finding IN (1, 5)
            OR e.ours_at < clock_timestamp() - (:settling + :since_begun) * interval '1 microsecond'
        THEN CASE WHEN e.theirs IS NULL THEN 1 ELSE 5 END
        ELSE 0 END::smallint AS kind
    FROM refrain_ledger_entry e
    WHERE e.ledger = :ledger AND e.key > :after
        AND (e.finding <> 0 OR e.ours IS NULL OR e.theirs IS NULL OR e.ours <> e.theirs OR e.twice OR NOT e.confirmed)
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
