-- What was sent to other systems, and what their ledgers show.

-- name: ledger_announce
INSERT INTO refrain_ledger_entry AS e (ledger, key, record_id, point, ours, ours_at, scope, subject)
VALUES (:ledger, :key, :record_id, :point, :amount, {now}, :scope, :subject)
ON CONFLICT (ledger, key) DO UPDATE
SET record_id = excluded.record_id, point = excluded.point, ours = excluded.ours, scope = excluded.scope, subject = excluded.subject,
    ours_at = coalesce(e.ours_at, excluded.ours_at)

-- name: ledger_confirm
UPDATE refrain_ledger_entry SET confirmed = true WHERE ledger = :ledger AND key = :key

-- name: ledger_withdraw
-- If their ledger shows it all the same, that is for somebody to know.
UPDATE refrain_ledger_entry SET ours = NULL, ours_at = NULL, confirmed = false
WHERE ledger = :ledger AND key = :key AND theirs IS NOT NULL;

DELETE FROM refrain_ledger_entry WHERE ledger = :ledger AND key = :key AND theirs IS NULL

-- name: ledger_own_entry
-- WHERE true: without it SQLite takes ON for the beginning of a join.
INSERT INTO refrain_ledger_entry AS e (ledger, key, ours, ours_at, confirmed)
SELECT a.ledger, a.key, a.amount, {now}, true FROM {rows(ledger text, key text, amount bigint)} WHERE true
ON CONFLICT (ledger, key) DO UPDATE
SET ours = excluded.ours, ours_at = coalesce(e.ours_at, excluded.ours_at), confirmed = true
WHERE e.ours IS DISTINCT FROM excluded.ours OR NOT e.confirmed

-- name: ledger_foreign_entry
-- What was read before and is as it was is not written again.
INSERT INTO refrain_ledger_entry AS e (ledger, key, theirs, theirs_at, theirs_id)
SELECT a.ledger, a.key, a.amount, {now}, a.id FROM {rows(ledger text, key text, amount bigint, id text)} WHERE true
ON CONFLICT (ledger, key) DO UPDATE
SET theirs = CASE WHEN e.theirs_id <> excluded.theirs_id THEN e.theirs ELSE excluded.theirs END,
    theirs_at = coalesce(e.theirs_at, excluded.theirs_at),
    theirs_id = coalesce(e.theirs_id, excluded.theirs_id),
    twice = e.twice OR coalesce(e.theirs_id <> excluded.theirs_id, false)
WHERE e.theirs_id IS NULL
    OR e.theirs_id = excluded.theirs_id AND e.theirs <> excluded.theirs
    OR e.theirs_id <> excluded.theirs_id AND NOT e.twice

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

-- name: ledger_pass_end
INSERT INTO refrain_ledger AS l (name, read_until) VALUES (:ledger, {moment(:begun)})
ON CONFLICT (name) DO UPDATE SET read_until = CASE WHEN l.read_until > {now} THEN excluded.read_until
    ELSE {greatest}(l.read_until, excluded.read_until) END

-- name: ledger_findings
SELECT e.key, e.finding, e.record_id, e.point, e.ours, e.theirs, e.confirmed, {micros(e.found_at)} AS found_at
FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.finding <> 0 AND e.dismissed = 0
    AND (e.found_at, e.key) > ({moment(:after_at)}, :after_key)
ORDER BY e.found_at, e.key
LIMIT :limit

-- name: ledger_reap_agreed
-- Many at once do no harm: what another one holds is skipped.
DELETE FROM refrain_ledger_entry AS e
WHERE e.ledger = :ledger AND e.key {among(
    SELECT x.key FROM refrain_ledger_entry x
    WHERE x.ledger = :ledger AND x.ours IS NOT NULL AND x.theirs IS NOT NULL AND x.finding = x.dismissed
        AND (x.confirmed OR x.finding <> 0)
        AND x.theirs_at < {now} - {span(:agreed_for)}
    ORDER BY x.theirs_at
    LIMIT :limit
    {skip_locked})}
RETURNING 1 AS reaped

-- name: erase_ledger_entries
-- Those on which both sides agree: they stay until they are reaped, so that reading their ledger once more finds nothing new, but nobody's.
UPDATE refrain_ledger_entry
SET record_id = NULL, point = NULL, scope = NULL, subject = NULL
WHERE (ledger, key) IN (
    SELECT x.ledger, x.key FROM refrain_ledger_entry x
    WHERE x.scope = :scope AND (CAST(:subject AS text) IS NULL OR x.subject = :subject)
        AND x.ours = x.theirs AND x.confirmed AND NOT x.twice AND x.finding = x.dismissed
    ORDER BY x.ledger, x.key
    LIMIT :limit)
RETURNING 1 AS erased

-- name: ledger_entries_in_use
SELECT count(*) AS in_use FROM refrain_ledger_entry e
WHERE e.scope = :scope AND (CAST(:subject AS text) IS NULL OR e.subject = :subject)
