-- Under the write lock nobody comes in between. What is too young for this pass may have been old enough for another: a
-- finding is not closed for being young.
CREATE TEMP TABLE IF NOT EXISTS refrain_judged (key TEXT PRIMARY KEY, before INTEGER NOT NULL, kind INTEGER NOT NULL);

DELETE FROM temp.refrain_judged;

INSERT INTO temp.refrain_judged
SELECT e.key, e.finding, CASE
    WHEN e.twice THEN 4
    WHEN e.ours <> e.theirs THEN 3
    WHEN e.ours IS NULL THEN CASE WHEN e.finding = 2 OR e.theirs_at < {now} - :settling / 1000 THEN 2 ELSE 0 END
    WHEN e.theirs IS NOT NULL AND e.confirmed THEN 0
    WHEN e.finding IN (1, 5) OR e.ours_at < {now} - (:settling + :since_begun) / 1000
        THEN CASE WHEN e.theirs IS NULL THEN 1 ELSE 5 END
    ELSE 0 END
FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.key > :after
    AND (e.finding <> 0 OR e.ours IS NULL OR e.theirs IS NULL OR e.ours <> e.theirs OR e.twice OR NOT e.confirmed)
ORDER BY e.key
LIMIT :limit;

UPDATE refrain_ledger_entry
SET finding = j.kind, found_at = CASE WHEN j.kind <> 0 THEN {now} END,
    dismissed = CASE WHEN j.kind = dismissed THEN dismissed ELSE 0 END
FROM temp.refrain_judged j
WHERE refrain_ledger_entry.ledger = :ledger AND refrain_ledger_entry.key = j.key AND j.kind <> j.before;

SELECT key, before, kind FROM temp.refrain_judged ORDER BY key
