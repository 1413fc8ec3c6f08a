-- Refrain, schema version 2, SQLite: messages that are staged in a transaction and delivered after it.
--
-- Everything in refrain_outbox waits to be delivered; what is delivered or dead leaves it.
-- lane: absent for a message that waits for nobody. lease_until: until when it is someone's to deliver; 0 if it is nobody's.
-- open: attempts whose end is not known, sent_at: when the first of them began. Times are milliseconds since 1970.
CREATE TABLE refrain_outbox (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          BLOB    NOT NULL CHECK (length(id) = 16),
    topic       TEXT    NOT NULL,
    lane        INTEGER,
    order_key   TEXT,
    staged_at   INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    lease_until INTEGER NOT NULL DEFAULT 0,
    sent_at     INTEGER,
    fence       INTEGER NOT NULL DEFAULT 0,
    attempts    INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    open        INTEGER NOT NULL DEFAULT 0 CHECK (open >= 0),
    format      INTEGER NOT NULL DEFAULT 1,
    reason      TEXT,
    payload     BLOB    NOT NULL
) STRICT;

CREATE INDEX refrain_outbox_due ON refrain_outbox (topic, due_at) WHERE lane IS NULL;
CREATE INDEX refrain_outbox_lane ON refrain_outbox (topic, lane, seq) WHERE lane IS NOT NULL;

-- cause: 0 delivered, and kept until keep_until; 1 refused, 2 exhausted, 3 unknown: dead letters.
CREATE TABLE refrain_outbox_past (
    id         BLOB    NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    topic      TEXT    NOT NULL,
    lane       INTEGER,
    order_key  TEXT,
    staged_at  INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    keep_until INTEGER,
    cause      INTEGER NOT NULL CHECK (cause IN (0, 1, 2, 3)),
    attempts   INTEGER NOT NULL,
    reason     TEXT,
    payload    BLOB    NOT NULL,

    CONSTRAINT refrain_outbox_past_delivered_expires CHECK ((cause = 0) = (keep_until IS NOT NULL))
) STRICT;

CREATE INDEX refrain_outbox_past_keep ON refrain_outbox_past (keep_until) WHERE cause = 0;
CREATE INDEX refrain_outbox_past_dead ON refrain_outbox_past (settled_at, id) WHERE cause > 0;

UPDATE refrain_meta SET version = 2 WHERE name = 'schema';
