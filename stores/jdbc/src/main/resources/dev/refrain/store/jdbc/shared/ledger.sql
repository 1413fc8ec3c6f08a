-- What was sent to other systems, and what their ledgers show.

-- name: ledger_confirm
UPDATE refrain_ledger_entry SET confirmed = true WHERE ledger = :ledger AND refrain_ledger_entry.key = :key

-- name: ledger_withdraw
-- If their ledger shows it all the same, that is for somebody to know.
UPDATE refrain_ledger_entry SET ours = NULL, ours_at = NULL, confirmed = false
WHERE ledger = :ledger AND refrain_ledger_entry.key = :key AND theirs IS NOT NULL;

DELETE FROM refrain_ledger_entry WHERE ledger = :ledger AND refrain_ledger_entry.key = :key AND theirs IS NULL

-- name: ledger_pass_start
-- From where a ledger is read: from where the last reading ended, or further back for what is still missing, but no further than a bound.
SELECT {micros(t.now)} AS begun,
    {micros({greatest}(t.now - {span(:reach)}, {least}(
        -- One in the future was set by a clock that was ahead.
        coalesce((SELECT l.read_until FROM refrain_ledger l WHERE l.name = :ledger AND l.read_until <= t.now), {long_ago}),
        coalesce((SELECT min(e.ours_at) FROM refrain_ledger_entry e
            WHERE e.ledger = :ledger AND e.theirs IS NULL), t.now)))
        - {span(:overlap)})} AS since
FROM (SELECT {now} AS now) t

-- name: ledger_findings
SELECT e.key, e.finding, e.record_id, e.point, e.ours, e.theirs, e.confirmed, {micros(e.found_at)} AS found_at
FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.finding <> 0 AND e.dismissed = 0
    AND (e.found_at, e.key) > ({moment(:after_at)}, :after_key)
ORDER BY e.found_at, e.key
LIMIT :limit

-- name: ledger_entries_in_use
SELECT count(*) AS in_use FROM refrain_ledger_entry e
WHERE e.scope = :scope AND ({as_text(:subject)} IS NULL OR e.subject = :subject)
