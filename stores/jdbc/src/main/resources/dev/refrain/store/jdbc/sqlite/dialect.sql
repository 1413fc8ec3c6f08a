-- How SQLite says what the shared statements need. Each text is named; {argument} is what stands in brackets behind the name.

-- name: now
-- This host's clock in milliseconds, the same throughout one statement.
CAST(round(unixepoch('subsec') * 1000) AS INTEGER)

-- name: statement_now
{now}

-- name: micros
-- A stored moment, or the time between two, in microseconds, as everywhere outside of this database.
({argument}) * 1000

-- name: moment
-- Microseconds since 1970 as a stored moment.
{argument} / 1000

-- name: span
-- Microseconds as what can be added to a stored moment.
{argument} / 1000

-- name: for_ever
9223372036854775807

-- name: long_ago
0

-- name: expiry
CASE WHEN :retention < 0 THEN {for_ever} ELSE {now} + :retention / 1000 END

-- name: lease_end
-- When a message's lease ends; absent if it has none.
nullif({argument}, 0)

-- name: greatest
max

-- name: least
min

-- name: size
length({argument})

-- name: lines
-- Texts of many rows as lines of one.
group_concat({argument}, char(10))

-- name: enumerated
-- Texts of many rows in one line.
group_concat({argument}, ', ')

-- name: among
IN ({argument})

-- name: skip_locked
-- Under the write lock nobody comes in between.

-- name: concurrently
-- There is no way beside the traffic here: it waits until the index is there, about a second for a million records.

-- name: one_at_a_time
-- Who writes is alone.

-- name: migration_begin
-- Two processes that start at once migrate one after the other.
BEGIN IMMEDIATE

-- name: purge_log
-- What was erased is still in the log until it is copied and cut off. Busy while somebody reads an older state.
PRAGMA wal_checkpoint(TRUNCATE)

-- name: present
SELECT count(*) > 0 AS present FROM sqlite_master WHERE type = 'table' AND name = 'refrain_meta'

-- name: elsewhere
-- A file has one place for tables.
SELECT '' AS name, '' AS here, false AS chosen WHERE false

-- name: durable
-- Each connection sets synchronous to FULL (2) or finds EXTRA (3); a database in memory has no WAL.
SELECT (SELECT synchronous FROM pragma_synchronous) >= 2 AND (SELECT journal_mode FROM pragma_journal_mode) = 'wal'
    AS durable

-- name: browsable
-- Whether the index is there, and whether to make it would take no time.
SELECT i.present, i.present AS whole,
    (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) <= {small_table} AS small
FROM (SELECT count(*) > 0 AS present FROM sqlite_master WHERE type = 'index' AND name = 'refrain_record_claimed_at') i

-- name: take_lock
-- Taking the one write lock is the test: who does not get it is told to come back, and never "in progress", because
-- whoever has it may be writing something quite different. Deleting nothing takes the lock and changes nothing. What is
-- read after that cannot be stale.
DELETE FROM refrain_meta WHERE name = '';

SELECT 1 AS granted, 0 AS frozen

-- name: begin_work
{take_lock};

-- As long as it is there, so is what the work wrote: see OpenTransactionCheck.
SAVEPOINT refrain_open_0

-- name: checkpoint_one
{checkpoint}

-- name: payloads_in_records
-- All payloads are beside their records here.
