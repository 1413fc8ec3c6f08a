-- What databases with ON CONFLICT and RETURNING say alike. Each text is named; {argument} is what stands in brackets behind the name.

-- name: materialized
AS MATERIALIZED

-- name: as_text
-- The type of a parameter that may be absent.
CAST({argument} AS text)

-- name: as_number
CAST({argument} AS bigint)

-- name: without_mark
-- A recovery point as it is called: one whose call is announced has an exclamation mark behind it.
rtrim({argument}, '!')

-- name: clock_raise
-- Between two looks the clock may be ahead for a moment, and right again: whoever takes a time that ages are counted from raises the note, unless it
-- is young. Nobody waits for another one to do so. To follow "UPDATE refrain_meta".
SET moment = {now} WHERE name {among(
    SELECT c.name FROM refrain_meta c WHERE c.name = 'clock' AND c.moment < {now} - {span(30000000)} {skip_locked})}

-- name: clock_set_back
-- Notes that it was, once. A row comes back if so.
INSERT INTO refrain_meta AS b (name, moment, since)
SELECT 'clock.back', c.moment + {clock_slack}, {now} FROM refrain_meta c
WHERE c.name = 'clock' AND c.moment > {now} + {clock_tolerance}
{skip_locked}
ON CONFLICT (name) DO UPDATE
SET moment = {greatest}(b.moment, excluded.moment),
    since = {greatest}(b.moment, excluded.moment) - (b.moment - b.since) - (excluded.moment - excluded.since)
RETURNING 1 AS noted

-- name: clock_mend
-- What was put off while the clock was ahead would wait for as long again. What somebody has locked is left as it is.
UPDATE refrain_outbox AS o SET due_at = {greatest}({now}, o.due_at - (c.moment - {now}))
FROM refrain_meta c
WHERE c.name = 'clock' AND o.seq {among(SELECT x.seq FROM refrain_outbox x WHERE x.due_at > {now} {skip_locked})};

UPDATE refrain_payload AS p SET due_at = {greatest}({now}, p.due_at - (c.moment - {now}))
FROM refrain_meta c
WHERE c.name = 'clock' AND p.kind = 2
    AND p.record_id {among(SELECT x.record_id FROM refrain_payload x WHERE x.kind = 2 AND x.due_at > {now} {skip_locked})};

UPDATE refrain_ledger_entry SET ours_at = {now}
WHERE (ledger, key) IN (SELECT x.ledger, x.key FROM refrain_ledger_entry x WHERE x.ours_at > {now} {skip_locked});

UPDATE refrain_ledger_entry SET theirs_at = {now}
WHERE (ledger, key) IN (SELECT x.ledger, x.key FROM refrain_ledger_entry x WHERE x.theirs_at > {now} {skip_locked});

UPDATE refrain_meta SET moment = {now} WHERE name = 'clock'

-- name: clock_seen
-- Only forwards: a step that came after clock_set_back is for the next look.
INSERT INTO refrain_meta AS c (name, moment) VALUES ('clock', {now})
ON CONFLICT (name) DO UPDATE SET moment = excluded.moment WHERE c.moment < excluded.moment

-- name: ledger_announce
INSERT INTO refrain_ledger_entry AS e (ledger, key, record_id, point, ours, ours_at, scope, subject)
VALUES (:ledger, :key, :record_id, :point, :amount, {now}, :scope, :subject)
ON CONFLICT (ledger, key) DO UPDATE
SET record_id = excluded.record_id, point = excluded.point, ours = excluded.ours, scope = excluded.scope, subject = excluded.subject,
    ours_at = coalesce(e.ours_at, excluded.ours_at)

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

-- name: ledger_pass_end
INSERT INTO refrain_ledger AS l (name, read_until) VALUES (:ledger, {moment(:begun)})
ON CONFLICT (name) DO UPDATE SET read_until = CASE WHEN l.read_until > {now} THEN excluded.read_until
    ELSE {greatest}(l.read_until, excluded.read_until) END

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
    WHERE x.scope = :scope AND ({as_text(:subject)} IS NULL OR x.subject = :subject)
        AND x.ours = x.theirs AND x.confirmed AND NOT x.twice AND x.finding = x.dismissed
    ORDER BY x.ledger, x.key
    LIMIT :limit)
RETURNING 1 AS erased

-- name: outbox_reap
-- Many at once do no harm: what another one holds is skipped.
DELETE FROM refrain_outbox_past AS p
WHERE p.id {among(
    SELECT x.id FROM refrain_outbox_past x
    WHERE x.cause = 0 AND x.keep_until <= {statement_now}
    ORDER BY x.keep_until
    LIMIT :limit
    {skip_locked})}
RETURNING 1 AS reaped

-- name: outbox_topic
-- What waits in a topic, as far as two walks of bounded length see it.
WITH walked {materialized} (
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NULL ORDER BY o.due_at LIMIT :limit) unordered
    UNION ALL
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NOT NULL ORDER BY o.lane, o.seq LIMIT :limit) ordered
)
SELECT count(*) AS waiting, count(*) FILTER (WHERE w.lease_until > {now}) AS under_way,
    count(*) FILTER (WHERE w.reason IS NOT NULL) AS failing, count(*) >= :limit AS more,
    {micros({now} - min(w.staged_at))} AS oldest
FROM walked w

-- name: erase_messages
-- What is delivered and kept for a while. What waits, or is a dead letter, cannot be delivered without what it says.
DELETE FROM refrain_outbox_past AS p
WHERE p.id {among(
    SELECT x.id FROM refrain_outbox_past x
    WHERE x.cause = 0 AND x.scope = :scope AND ({as_text(:subject)} IS NULL OR x.subject = :subject)
    ORDER BY x.id
    LIMIT :limit
    {skip_locked})}
RETURNING 1 AS erased

-- name: operation
-- The id of a name, which is given one if it has none. Looked for first: a name that is there draws no number.
INSERT INTO refrain_operation (name)
SELECT :name WHERE NOT EXISTS (SELECT 1 FROM refrain_operation o WHERE o.name = :name)
ON CONFLICT (name) DO NOTHING;

SELECT o.id FROM refrain_operation o WHERE o.name = :name

-- name: operation_step
-- A step that an operation asks derived keys for.
INSERT INTO refrain_step (operation, name) VALUES (:operation, :step) ON CONFLICT (operation, name) DO NOTHING

-- name: uncount_attempt
-- An attempt to complete a record without its caller that never began. Not if it was counted again since.
UPDATE refrain_payload SET attempts = attempts - 1
WHERE record_id = :id AND kind = 2 AND attempts = :attempt
RETURNING 1 AS uncounted

-- name: browsing_index
-- Not part of the schema: whoever does not browse does not pay for it. It grows at its right edge, and completing changes neither
-- column. The time comes first: an index that begins with the id would be taken by the statements that name (lookup, id).
{one_at_a_time}

CREATE INDEX IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)

-- name: browsing_index_beside
CREATE INDEX {concurrently} IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)

-- name: encryption_mark
INSERT INTO refrain_meta (name) VALUES (:name) ON CONFLICT (name) DO NOTHING
