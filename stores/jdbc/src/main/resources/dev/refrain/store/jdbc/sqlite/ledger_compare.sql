-- Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_compared (key TEXT PRIMARY KEY, before INTEGER NOT NULL, kind INTEGER NOT NULL);

DELETE FROM temp.refrain_compared;

INSERT INTO temp.refrain_compared
SELECT e.key, e.finding, {ledger_finding}
FROM refrain_ledger_entry e
WHERE {ledger_open}
ORDER BY e.key
LIMIT :limit;

UPDATE refrain_ledger_entry
SET finding = j.kind, found_at = CASE WHEN j.kind <> 0 THEN {now} END,
    dismissed = CASE WHEN j.kind = dismissed THEN dismissed ELSE 0 END
FROM temp.refrain_compared j
WHERE refrain_ledger_entry.ledger = :ledger AND refrain_ledger_entry.key = j.key AND j.kind <> j.before;

SELECT key, before, kind FROM temp.refrain_compared ORDER BY key
