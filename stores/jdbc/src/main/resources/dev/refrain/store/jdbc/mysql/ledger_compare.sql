-- Of two who compare at once, the second waits for the rows of the first and sees what it decided.
{pick} SELECT e.key AS name, e.finding AS prior, {ledger_finding} AS kind
FROM refrain_ledger_entry e
WHERE {ledger_open}
ORDER BY e.key LIMIT :limit
FOR UPDATE;

UPDATE {picked(name text, prior bigint, kind bigint)}
STRAIGHT_JOIN refrain_ledger_entry e FORCE INDEX (PRIMARY) ON e.ledger = :ledger AND e.key = p.name
SET e.finding = p.kind, e.found_at = CASE WHEN p.kind <> 0 THEN {now} END,
    e.dismissed = CASE WHEN p.kind = e.dismissed THEN e.dismissed ELSE 0 END
WHERE p.kind <> p.prior;

SELECT p.name AS `key`, p.prior AS `before`, p.kind FROM {picked(name text, prior bigint, kind bigint)} ORDER BY p.name
