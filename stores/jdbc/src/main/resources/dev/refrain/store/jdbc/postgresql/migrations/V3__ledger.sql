-- Refrain, schema version 3: what was sent to other systems and what their ledgers show.
--
-- ours, theirs: the amounts; absent where that side does not know the entry. ours_at, theirs_at: when it was announced
-- here and when it was first seen there, both by this database's clock.
-- confirmed: the answer came back. twice: two entries of the ledger have the same key.
-- finding: 0 none, 1 only ours, 2 only theirs, 3 amounts differ, 4 twice, 5 unrecorded. dismissed: the finding that a
-- person closed.
CREATE TABLE refrain_ledger_entry (
    ledger    text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    record_id uuid,
    point     text COLLATE "C",
    ours      bigint,
    theirs    bigint,
    ours_at   timestamptz,
    theirs_at timestamptz,
    theirs_id text COLLATE "C",
    confirmed boolean  NOT NULL DEFAULT false,
    twice     boolean  NOT NULL DEFAULT false,
    finding   smallint NOT NULL DEFAULT 0,
    dismissed smallint NOT NULL DEFAULT 0,
    found_at  timestamptz,

    CONSTRAINT refrain_ledger_entry_pk PRIMARY KEY (ledger, key)
);

-- What does not agree, or did not: the only ones that are judged.
CREATE INDEX refrain_ledger_entry_open ON refrain_ledger_entry (ledger, key)
    WHERE finding <> 0 OR ours IS NULL OR theirs IS NULL OR ours <> theirs OR twice OR NOT confirmed;
CREATE INDEX refrain_ledger_entry_unseen ON refrain_ledger_entry (ledger, ours_at) WHERE theirs IS NULL;
CREATE INDEX refrain_ledger_entry_found ON refrain_ledger_entry (ledger, found_at, key) WHERE finding <> 0;
CREATE INDEX refrain_ledger_entry_agreed ON refrain_ledger_entry (ledger, theirs_at)
    WHERE ours IS NOT NULL AND theirs IS NOT NULL;

-- read_until: when the last pass began that was read to its end.
CREATE TABLE refrain_ledger (
    name       text COLLATE "C" NOT NULL,
    read_until timestamptz      NOT NULL,

    CONSTRAINT refrain_ledger_pk PRIMARY KEY (name)
);

UPDATE refrain_meta SET version = 3 WHERE name = 'schema';
