-- How PostgreSQL says what the shared statements need. Each text is named; {argument} is what stands in brackets behind the name.

-- name: now
-- The clock at this moment, not at the start of the transaction. No index is searched by it, because it changes during a statement.
clock_timestamp()

-- name: statement_now
-- The clock when the statement began: what an index can be searched by.
statement_timestamp()

-- name: micros
-- A stored moment, or the time between two, in microseconds.
(extract(epoch FROM {argument}) * 1000000)::bigint

-- name: moment
-- Microseconds since 1970 as a stored moment.
'epoch'::timestamptz + {argument} * interval '1 microsecond'

-- name: span
-- Microseconds as what can be added to a stored moment.
{argument} * interval '1 microsecond'

-- name: long_ago
'-infinity'::timestamptz

-- name: lease_end
-- When a message's lease ends; absent if it has none.
{argument}

-- name: greatest
greatest

-- name: least
least

-- name: size
octet_length({argument})

-- name: lines
-- Texts of many rows as lines of one.
string_agg({argument}, chr(10) ORDER BY {argument})

-- name: enumerated
-- Texts of many rows in one line.
string_agg({argument}, ', ' ORDER BY {argument})

-- name: among
-- One of few rows that a query names. An array, so that the query runs once: joined, it could lock more than its limit.
= ANY (ARRAY({argument}))

-- name: skip_locked
FOR UPDATE SKIP LOCKED

-- name: concurrently
-- Beside the traffic, which it does not hold up; not inside of a transaction.
CONCURRENTLY

-- name: one_at_a_time
-- Two that start at once do what follows one after the other.
SELECT pg_advisory_xact_lock({migration_lock});

-- name: migration_begin
-- READ COMMITTED, so that the second of two sees what the first did, whatever the database's default.
BEGIN ISOLATION LEVEL READ COMMITTED;

{one_at_a_time}

-- name: purge_log
-- Nothing that a statement could do: vacuum, and the retention of WAL and backups, decide how long erased rows are on the disk.
SELECT 0 AS busy

-- name: present
-- Reading pg_class makes this session hear what others made meanwhile; the name alone would be looked up in its cache.
SELECT EXISTS (SELECT FROM pg_class c WHERE c.oid = to_regclass($name$refrain_meta$name$)) AS present

-- name: elsewhere
-- Schemas in which this user can read tables of Refrain. chosen: whether the connection says its schema itself. The name is in two
-- parts, because a whole one is given the store's schema.
SELECT n.nspname AS name, current_schema() AS here,
    (SELECT s.source FROM pg_settings s WHERE s.name = 'search_path') IN ('client', 'session') AS chosen
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = 'refrain' || '_meta' AND c.relkind IN ('r', 'p') AND n.oid <> pg_my_temp_schema()
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname

-- name: durable
-- Whether an acknowledged commit survives a crash of the server, as it is configured.
SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS durable

-- name: browsable
-- Whether the index is there and whole (one that was broken off in the middle is not), and whether to make it would take no time.
SELECT
    EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass($name$refrain_record$name$) AND c.relname = 'refrain_record_claimed_at') AS present,
    EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass($name$refrain_record$name$) AND c.relname = 'refrain_record_claimed_at'
            AND i.indisvalid) AS whole,
    pg_relation_size(to_regclass($name$refrain_record$name$)) <= {small_table} AS small

-- name: take_lock
SELECT pg_try_advisory_xact_lock(:lock) AS granted, {frozen} AS frozen

-- name: bounded
-- Settings of this transaction alone: its work may pause this long between two statements, and one statement may take this long; from
-- version 17 on the whole transaction. Nothing that its client would not have ended before, unless the client is gone without a word.
set_config('idle_in_transaction_session_timeout', {sooner(idle_in_transaction_session_timeout)}, true) AS idle,
CASE WHEN current_setting('transaction_timeout', true) IS NULL
    THEN set_config('statement_timeout', {sooner(statement_timeout)}, true)
    ELSE set_config('transaction_timeout', {sooner(transaction_timeout)}, true) END AS busy

-- name: sooner
-- A timeout as it is, or ours if that ends sooner; 0 is none.
CASE WHEN current_setting('{argument}')::interval > interval '0'
        AND current_setting('{argument}')::interval <= :unattended * interval '1 millisecond'
    THEN current_setting('{argument}') ELSE :unattended::text END

-- name: frozen
-- Whether this transaction reads by one snapshot, which may be older than the lock: above READ COMMITTED.
current_setting('transaction_isolation') <> 'read committed'

-- name: note_written
-- A setting of the transaction, which a savepoint takes back together with the record. Each savepoint keeps its value, so that it has a bound.
set_config('refrain.written', CASE
    WHEN length(current_setting('refrain.written', true)) > 20000 THEN '*'
    ELSE concat_ws(' ', current_setting('refrain.written', true), :lookup::text) END, true)

-- name: gone_with_it
-- What goes with records that are reaped, gone.
-- By arrays, which leave the planner no choice but the index: joined, a plan that was made while nothing had expired, and is kept, walks a whole
-- table for each record.
emptied AS (
    DELETE FROM refrain_payload p WHERE p.record_id = ANY (ARRAY(SELECT g.id FROM gone g WHERE g.parts <> 0))
),
forgotten AS (
    -- Whatever parts says: code of schema 5 and 6 does not know that bit and drops it.
    DELETE FROM refrain_attempt t WHERE t.record_id = ANY (ARRAY(SELECT g.id FROM gone g))
),
unlisted AS (
    -- What a late runner left behind when it met the sweeper.
    DELETE FROM refrain_attention t
    WHERE t.lookup = ANY (ARRAY(SELECT g.lookup FROM gone g WHERE g.parts & 8 <> 0))
        AND t.record_id = ANY (ARRAY(SELECT g.id FROM gone g WHERE g.parts & 8 <> 0))
)

-- name: payloads_in_records
UNION ALL SELECT initial FROM (SELECT substr(outcome, 1, 1) AS initial FROM refrain_record WHERE outcome IS NOT NULL LIMIT 1000) outcomes
UNION ALL SELECT initial FROM (SELECT substr(carried, 1, 1) AS initial FROM refrain_record WHERE carried IS NOT NULL LIMIT 1000) states
