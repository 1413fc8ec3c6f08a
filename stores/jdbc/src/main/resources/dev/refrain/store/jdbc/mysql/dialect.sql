-- How MySQL and MariaDB say what the shared statements need. Each text is named; {argument} is what stands in brackets behind the name.

-- name: now
-- The clock at this moment, in microseconds since 1970, and not at the start of the statement, which may have waited for a lock. SYSDATE is in
-- the session's time zone: how far that is from UTC is told by two clocks of the statement's start, which needs no table of zones and knows
-- the hour that comes twice. No index is searched by it.
(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', SYSDATE(6)) - TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), NOW(6)))

-- name: statement_now
-- The clock when the statement began: what an index can be searched by.
TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))

-- name: micros
-- A stored moment, or the time between two, in microseconds, as it is stored.
({argument})

-- name: moment
({argument})

-- name: span
({argument})

-- name: for_ever
9223372036854775807

-- name: long_ago
0

-- name: lease_end
-- When a message's lease ends; absent if it has none.
nullif({argument}, 0)

-- name: greatest
greatest

-- name: least
least

-- name: size
octet_length({argument})

-- name: lines
-- Texts of many rows as lines of one.
group_concat({argument} ORDER BY {argument} SEPARATOR '\n')

-- name: enumerated
-- Texts of many rows in one line.
group_concat({argument} ORDER BY {argument} SEPARATOR ', ')

-- name: materialized
AS

-- name: as_text
{argument}

-- name: as_number
-- NULL by itself makes a DOUBLE of what it is added to, and that has no room for the greatest integer.
CAST({argument} AS SIGNED)

-- name: without_mark
-- A recovery point as it is called: one whose call is announced has an exclamation mark behind it.
trim(TRAILING '!' FROM {argument})

-- name: skip_locked
FOR UPDATE SKIP LOCKED

-- name: pick
-- To precede a query whose rows are for the statements after it, as picked.
/*pick*/

-- name: given
-- To precede a statement that is left out where this parameter has no value.
/*given {argument}*/

-- name: migration_begin
-- Each change of the schema commits by itself, and can be made again.
SET autocommit = 1

-- name: purge_log
-- Nothing that a statement could do: purge, and the retention of binary logs and backups, decide how long erased rows are on the disk.
SELECT 0 AS busy

-- name: present
SELECT count(*) > 0 AS present FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_name = 'refrain_meta'

-- name: elsewhere
-- The connection's URL names the one database.
SELECT '' AS name, '' AS here, true AS chosen FROM DUAL WHERE false

-- name: missing_privileges
-- Found by trying; see PrivilegeProbe.
SELECT '' AS name, '' AS owner FROM DUAL WHERE false

-- name: durable
-- Whether an acknowledged commit survives a crash of the server, as it is configured. With a binary log, that one decides at recovery.
SELECT @@GLOBAL.innodb_flush_log_at_trx_commit = 1 AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1) AS durable

-- name: browsable
-- Whether the index is there, and whether to make it would take no time.
SELECT count(*) > 0 AS present, count(*) > 0 AS whole,
    (SELECT coalesce(max(t.data_length), 0) <= {small_table} FROM information_schema.tables t
    WHERE t.table_schema = DATABASE() AND t.table_name = 'refrain_record') AS small
FROM information_schema.statistics s
WHERE s.table_schema = DATABASE() AND s.table_name = 'refrain_record' AND s.index_name = 'refrain_record_claimed_at'

-- name: browsing_index
-- See browsing_index of the other databases.
CREATE INDEX refrain_record_claimed_at ON refrain_record (claimed_at, id)

-- name: browsing_index_beside
-- Beside the traffic: readers and writers go on.
CREATE INDEX refrain_record_claimed_at ON refrain_record (claimed_at, id) ALGORITHM = INPLACE LOCK = NONE

-- name: database
-- The database of the tables. A store has its name instead: the session may be in another one when a lock is given back.
DATABASE()

-- name: lock_name
-- A key's lock, among all locks of all databases of the server; 64 characters at most.
CONCAT('refrain.', LEFT(MD5({database}), 8), '.', HEX({argument}))

-- name: take_lock
-- The lock is one of the session and not of a row. There is no row for a new key; to insert one would make a twin wait, for a second at the
-- least, and to look for it with a lock would, at REPEATABLE READ, lock the gap between two keys for all others. It is tested without waiting,
-- and given back by leave.sql. In a transaction of the caller's what is read after it may be older than the lock (frozen).
SELECT GET_LOCK({lock_name(:lookup)}, 0) AS granted, 1 AS frozen

-- name: leave
SELECT RELEASE_LOCK({lock_name(:lookup)}) AS released

-- name: payloads_in_records
-- All payloads are beside their records here.

-- name: complete_alone
{complete}

-- name: release_alone
{release}

-- name: escalate_alone
{escalate}

-- name: encryption_mark
INSERT INTO refrain_meta (name) VALUES (:name) ON DUPLICATE KEY UPDATE name = refrain_meta.name

-- name: operation
-- The id of a name, which is given one if it has none. Looked for first: a name that is there draws no number.
INSERT INTO refrain_operation (name)
SELECT :name FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM refrain_operation o WHERE o.name = :name)
ON DUPLICATE KEY UPDATE name = refrain_operation.name;

SELECT o.id FROM refrain_operation o WHERE o.name = :name

-- name: operation_step
INSERT INTO refrain_step (operation, name) VALUES (:operation, :step) ON DUPLICATE KEY UPDATE name = refrain_step.name

-- name: uncount_attempt
-- An attempt to complete a record without its caller that never began. Not if it was counted again since.
SELECT 1 AS uncounted FROM refrain_payload y WHERE y.record_id = :id AND y.kind = 2 AND y.attempts = :attempt FOR UPDATE;

UPDATE refrain_payload SET attempts = attempts - 1 WHERE record_id = :id AND kind = 2

-- name: clock_raise
-- Raises the note of the clock, unless it is young. Nobody waits for another one to do so, and a young one is not even locked.
{pick} SELECT m.name FROM refrain_meta m WHERE m.name = 'clock' AND m.moment < {now} - 30000000;

{pick} SELECT m.name
FROM {picked(name text)} STRAIGHT_JOIN refrain_meta m FORCE INDEX (PRIMARY) ON m.name = p.name
WHERE m.moment < {now} - 30000000
FOR UPDATE SKIP LOCKED;

UPDATE {picked(name text)} STRAIGHT_JOIN refrain_meta m FORCE INDEX (PRIMARY) ON m.name = p.name SET m.moment = {now}

-- name: clock_set_back
-- Notes that it was, once. A row comes back if so. since comes first: it is made of the moment that was there.
{pick} SELECT c.moment + {clock_slack} AS moment, {now} AS since
FROM refrain_meta c
WHERE c.name = 'clock' AND c.moment > {now} + {clock_tolerance}
FOR UPDATE SKIP LOCKED;

INSERT INTO refrain_meta (name, moment, since)
SELECT 'clock.back', p.moment, p.since FROM {picked(moment bigint, since bigint)}
ON DUPLICATE KEY UPDATE
    since = greatest(refrain_meta.moment, VALUES(moment)) - (refrain_meta.moment - refrain_meta.since)
        - (VALUES(moment) - VALUES(since)),
    moment = greatest(refrain_meta.moment, VALUES(moment));

SELECT 1 AS noted FROM {picked(moment bigint)}

-- name: clock_mend
-- What was put off while the clock was ahead would wait for as long again. What somebody has locked is left as it is.
{pick} SELECT o.seq, (SELECT c.moment FROM refrain_meta c WHERE c.name = 'clock') AS moment
FROM refrain_outbox o WHERE o.due_at > {now} FOR UPDATE SKIP LOCKED;

UPDATE {picked(seq bigint, moment bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = p.seq
SET o.due_at = greatest({now}, o.due_at - (p.moment - {now}));

{pick} SELECT y.record_id, (SELECT c.moment FROM refrain_meta c WHERE c.name = 'clock') AS moment
FROM refrain_payload y WHERE y.kind = 2 AND y.due_at > {now} FOR UPDATE SKIP LOCKED;

UPDATE {picked(record_id uuid, moment bigint)}
STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = p.record_id AND y.kind = 2
SET y.due_at = greatest({now}, y.due_at - (p.moment - {now}));

{pick} SELECT e.ledger, e.key AS name FROM refrain_ledger_entry e WHERE e.ours_at > {now} OR e.theirs_at > {now} FOR UPDATE SKIP LOCKED;

UPDATE {picked(ledger text, name text)}
STRAIGHT_JOIN refrain_ledger_entry e FORCE INDEX (PRIMARY) ON e.ledger = p.ledger AND e.key = p.name
SET e.ours_at = least(e.ours_at, {now}), e.theirs_at = least(e.theirs_at, {now});

UPDATE refrain_meta SET moment = {now} WHERE name = 'clock'

-- name: clock_seen
-- Only forwards: a step that came after clock_set_back is for the next look.
INSERT INTO refrain_meta (name, moment)
SELECT 'clock', {now} FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM refrain_meta c WHERE c.name = 'clock')
ON DUPLICATE KEY UPDATE name = refrain_meta.name;

{pick} SELECT c.name FROM refrain_meta c WHERE c.name = 'clock' AND c.moment < {now} FOR UPDATE SKIP LOCKED;

UPDATE {picked(name text)} STRAIGHT_JOIN refrain_meta m FORCE INDEX (PRIMARY) ON m.name = p.name SET m.moment = {now}

-- name: listed_anew
-- A late runner that completes while its record is being listed may leave an entry behind: listing the key again takes its place.
ON DUPLICATE KEY UPDATE record_id = VALUES(record_id), fence = VALUES(fence), since = VALUES(since), reason = VALUES(reason)

-- name: ended_anew
ON DUPLICATE KEY UPDATE ended_at = VALUES(ended_at), end_reason = VALUES(end_reason)

-- name: concerned
-- A record r that an erasure is about.
r.scope = :scope AND (:subject IS NULL AND r.lookup BETWEEN :first AND :last OR r.subject = :subject)

-- name: settle_absent
-- lease_until: nothing will ever look for its lease, so it has none.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold, fingerprint, recipe, scope,
    namespace, `key`, subject, operation, caller, trace_id)
VALUES (
    :lookup, :id, :nonce, :fence, 0, coalesce({now} + {as_number(:life)}, {for_ever}), {now}, {now}, 2, CASE WHEN :has_outcome THEN 1 ELSE 0 END,
    :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :operation, :caller, :trace_id)
ON DUPLICATE KEY UPDATE lookup = refrain_record.lookup

-- name: ledger_announce
INSERT INTO refrain_ledger_entry (ledger, `key`, record_id, point, ours, ours_at, scope, subject)
VALUES (:ledger, :key, :record_id, :point, :amount, {now}, :scope, :subject)
ON DUPLICATE KEY UPDATE record_id = VALUES(record_id), point = VALUES(point), ours = VALUES(ours), scope = VALUES(scope),
    subject = VALUES(subject), ours_at = coalesce(refrain_ledger_entry.ours_at, VALUES(ours_at))

-- name: ledger_own_entry
INSERT INTO refrain_ledger_entry (ledger, `key`, ours, ours_at, confirmed)
SELECT a.ledger, a.key, a.amount, {now}, true FROM {rows(ledger text, key text, amount bigint)}
ON DUPLICATE KEY UPDATE ours = VALUES(ours), ours_at = coalesce(refrain_ledger_entry.ours_at, VALUES(ours_at)), confirmed = true

-- name: ledger_foreign_entry
-- theirs_id comes last: the others are made of what it was.
INSERT INTO refrain_ledger_entry (ledger, `key`, theirs, theirs_at, theirs_id)
SELECT a.ledger, a.key, a.amount, {now}, a.id FROM {rows(ledger text, key text, amount bigint, id text)}
ON DUPLICATE KEY UPDATE
    theirs = CASE WHEN refrain_ledger_entry.theirs_id <> VALUES(theirs_id) THEN refrain_ledger_entry.theirs ELSE VALUES(theirs) END,
    theirs_at = coalesce(refrain_ledger_entry.theirs_at, VALUES(theirs_at)),
    twice = refrain_ledger_entry.twice OR coalesce(refrain_ledger_entry.theirs_id <> VALUES(theirs_id), false),
    theirs_id = coalesce(refrain_ledger_entry.theirs_id, VALUES(theirs_id))

-- name: ledger_pass_end
INSERT INTO refrain_ledger (name, read_until) VALUES (:ledger, {moment(:begun)})
ON DUPLICATE KEY UPDATE read_until = CASE WHEN refrain_ledger.read_until > {now} THEN VALUES(read_until)
    ELSE greatest(refrain_ledger.read_until, VALUES(read_until)) END

-- name: ledger_reap_agreed
-- Many at once do no harm: what another one holds is skipped.
{pick} SELECT x.key AS name FROM refrain_ledger_entry x
WHERE x.ledger = :ledger AND x.ours IS NOT NULL AND x.theirs IS NOT NULL AND x.finding = x.dismissed
    AND (x.confirmed OR x.finding <> 0) AND x.theirs_at < {statement_now} - {span(:agreed_for)}
ORDER BY x.theirs_at LIMIT :limit
FOR UPDATE SKIP LOCKED;

DELETE e FROM {picked(name text)} STRAIGHT_JOIN refrain_ledger_entry e FORCE INDEX (PRIMARY) ON e.ledger = :ledger AND e.key = p.name;

SELECT 1 AS reaped FROM {picked(name text)}

-- name: erase_ledger_entries
-- Those on which both sides agree: they stay until they are reaped, so that reading their ledger once more finds nothing new, but nobody's.
{pick} SELECT x.ledger, x.key AS name FROM refrain_ledger_entry x
WHERE x.scope = :scope AND (:subject IS NULL OR x.subject = :subject)
    AND x.ours = x.theirs AND x.confirmed AND NOT x.twice AND x.finding = x.dismissed
ORDER BY x.ledger, x.key LIMIT :limit
FOR UPDATE;

UPDATE {picked(ledger text, name text)}
STRAIGHT_JOIN refrain_ledger_entry e FORCE INDEX (PRIMARY) ON e.ledger = p.ledger AND e.key = p.name
SET e.record_id = NULL, e.point = NULL, e.scope = NULL, e.subject = NULL;

SELECT 1 AS erased FROM {picked(name text)}

-- name: outbox_reap
-- Many at once do no harm: what another one holds is skipped.
{pick} SELECT x.id FROM refrain_outbox_past x
WHERE x.cause = 0 AND x.keep_until <= {statement_now}
ORDER BY x.keep_until LIMIT :limit
FOR UPDATE SKIP LOCKED;

DELETE x FROM {picked(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = p.id;

SELECT 1 AS reaped FROM {picked(id uuid)}

-- name: erase_messages
-- What is delivered and kept for a while. What waits, or is a dead letter, cannot be delivered without what it says.
{pick} SELECT x.id FROM refrain_outbox_past x
WHERE x.cause = 0 AND x.scope = :scope AND (:subject IS NULL OR x.subject = :subject)
ORDER BY x.id LIMIT :limit
FOR UPDATE SKIP LOCKED;

DELETE x FROM {picked(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = p.id;

SELECT 1 AS erased FROM {picked(id uuid)}

-- name: outbox_topic
-- What waits in a topic, as far as two walks of bounded length see it.
WITH walked AS (
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NULL ORDER BY o.due_at LIMIT :limit) unordered
    UNION ALL
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NOT NULL ORDER BY o.lane, o.seq LIMIT :limit) ordered
)
SELECT count(*) AS waiting, coalesce(sum(w.lease_until > {now}), 0) AS under_way,
    coalesce(sum(w.reason IS NOT NULL), 0) AS failing, count(*) >= :limit AS more, {now} - min(w.staged_at) AS oldest
FROM walked w

-- name: outbox_newest
-- By which those who look for messages see that one has come.
SELECT coalesce(max(o.seq), 0) AS newest FROM refrain_outbox o

-- name: clock_moves
-- Whether SYSDATE goes on within a statement. It is tried: not every server says in a variable how it was started.
SELECT SLEEP(0.002) = 0 AND SYSDATE(6) > NOW(6) AS moves

-- name: packet
-- The largest statement that the server takes.
SELECT @@GLOBAL.max_allowed_packet AS bytes

-- name: gone_with_it
-- Deletes the records that were picked, with all that lies beside them, and counts them.
DELETE r FROM {picked(lookup uuid, id uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup
WHERE r.id = p.id;

DELETE y FROM {picked(id uuid)} STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = p.id;

DELETE t FROM {picked(id uuid)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = p.id;

-- What a late runner left behind when it met the sweeper.
DELETE t FROM {picked(lookup uuid, id uuid)} STRAIGHT_JOIN refrain_attention t FORCE INDEX (PRIMARY) ON t.lookup = p.lookup
WHERE t.record_id = p.id;

SELECT count(*) AS reaped FROM {picked(lookup uuid)}
