-- Refrain, schema version 3: what was sent to other systems and what their ledgers show.
--
-- ours, theirs: the amounts; absent where that side does not know the entry. ours_at, theirs_at: when it was announced
-- here and when it was first seen there, both by this host's clock.
-- confirmed: the answer came back. twice: two entries of the ledger have the same key.
-- finding: 0 none, 1 only ours, 2 only theirs, 3 amounts differ, 4 twice, 5 unrecorded. dismissed: the finding that a
-- person closed.
CREATE TABLE refrain_ledger_entry (
    ledger    TEXT    NOT NULL,
    key       TEXT    NOT NULL,
    record_id BLOB,
    point     TEXT,
    ours      INTEGER,
    theirs    INTEGER,
    ours_at   INTEGER,
    theirs_at INTEGER,
    theirs_id TEXT,
    confirmed INTEGER NOT NULL DEFAULT 0,
    twice     INTEGER NOT NULL DEFAULT 0,
    finding   INTEGER NOT NULL DEFAULT 0,
    dismissed INTEGER NOT NULL DEFAULT 0,
    found_at  INTEGER,

    PRIMARY KEY (ledger, key)
) STRICT, WITHOUT ROWID;

-- What does not agree, or did not: the only ones that are judged.
CREATE INDEX refrain_ledger_entry_open ON refrain_ledger_entry (ledger, key)
    WHERE finding <> 0 OR ours IS NULL OR theirs IS NULL OR ours <> theirs OR twice OR NOT confirmed;
CREATE INDEX refrain_ledger_entry_unseen ON refrain_ledger_entry (ledger, ours_at) WHERE theirs IS NULL;
CREATE INDEX refrain_ledger_entry_found ON refrain_ledger_entry (ledger, found_at, key) WHERE finding <> 0;
CREATE INDEX refrain_ledger_entry_agreed ON refrain_ledger_entry (ledger, theirs_at)
    WHERE ours IS NOT NULL AND theirs IS NOT NULL;

-- read_until: when the last pass began that was read to its end.
CREATE TABLE refrain_ledger (
    name       TEXT    NOT NULL PRIMARY KEY,
    read_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

UPDATE refrain_meta SET version = 3 WHERE name = 'schema';
