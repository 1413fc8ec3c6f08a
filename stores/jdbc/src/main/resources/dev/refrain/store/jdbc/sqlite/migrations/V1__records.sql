-- Refrain, schema version 1, SQLite 3.42 and later.
--
-- state: 1 IN_PROGRESS, 2 COMPLETED, 3 RELEASED, 4 ATTENTION. Times are milliseconds since 1970; the greatest integer
-- is for ever.
-- parts: what was ever stored beside the record, one bit each (1 outcome, 2 request, 4 carried state, 8 attention), so
--        that nobody looks for what never was. A bit may outlive its part; it is never missing.
-- An erased record has lost its names and fingerprint; its id, fence, state and expiry stay, so that an erased payment
-- is not paid again.

CREATE TABLE refrain_record (
    lookup         BLOB    NOT NULL PRIMARY KEY CHECK (length(lookup) = 16),
    id             BLOB    NOT NULL CHECK (length(id) = 16),
    owner          BLOB    NOT NULL CHECK (length(owner) = 16),
    fence          INTEGER NOT NULL CHECK (fence >= 1),
    lease_until    INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    claimed_at     INTEGER NOT NULL,
    completed_at   INTEGER,
    state          INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
    parts          INTEGER NOT NULL DEFAULT 0,
    format         INTEGER NOT NULL DEFAULT 1,
    hold           INTEGER NOT NULL CHECK (hold IN (0, 1)),
    fingerprint    BLOB CHECK (length(fingerprint) = 32),
    recipe         TEXT,
    scope          TEXT,
    namespace      TEXT,
    key            TEXT,
    recovery_point TEXT,
    subject        TEXT,

    CONSTRAINT refrain_record_completed_has_time CHECK ((state = 2) = (completed_at IS NOT NULL)),
    CONSTRAINT refrain_record_outcome_only_completed CHECK (state = 2 OR parts & 1 = 0),
    CONSTRAINT refrain_record_attention_is_listed CHECK (state <> 4 OR parts & 8 <> 0),
    CONSTRAINT refrain_record_whole_or_erased CHECK (
        (fingerprint IS NOT NULL AND recipe IS NOT NULL AND scope IS NOT NULL AND namespace IS NOT NULL
            AND key IS NOT NULL)
        OR (coalesce(fingerprint, recipe, scope, namespace, key, subject) IS NULL AND state IN (2, 3))
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX refrain_record_expires_at ON refrain_record (expires_at) WHERE state IN (2, 3);
CREATE INDEX refrain_record_lease_until ON refrain_record (lease_until) WHERE state = 1;
CREATE INDEX refrain_record_attention ON refrain_record (lookup) WHERE state = 4;
CREATE INDEX refrain_record_subject ON refrain_record (subject, scope) WHERE subject IS NOT NULL;

-- Written once, apart from the record, so that the record stays narrow.
-- due_at, attempts: only of a request, which is here for as long as its work is not finished. When the turn of whoever
-- finishes it without its caller comes, and how often that was tried.
CREATE TABLE refrain_payload (
    record_id BLOB    NOT NULL,
    kind      INTEGER NOT NULL CHECK (kind IN (1, 2, 4)),
    attempts  INTEGER,
    due_at    INTEGER,
    lookup    BLOB,
    namespace TEXT,
    bytes     BLOB    NOT NULL,

    PRIMARY KEY (record_id, kind),
    CONSTRAINT refrain_payload_request_has_its_turn CHECK (
        (kind = 2) = (due_at IS NOT NULL) AND (kind = 2) = (attempts IS NOT NULL) AND (kind = 2) = (lookup IS NOT NULL)
            AND (kind = 2) = (namespace IS NOT NULL))
) STRICT;

CREATE INDEX refrain_payload_due_at ON refrain_payload (namespace, due_at) WHERE kind = 2;

CREATE TABLE refrain_attention (
    lookup    BLOB    NOT NULL PRIMARY KEY,
    record_id BLOB    NOT NULL,
    fence     INTEGER NOT NULL,
    since     INTEGER NOT NULL,
    reason    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE refrain_audit (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    action TEXT    NOT NULL,
    target TEXT    NOT NULL,
    who    TEXT    NOT NULL,
    why    TEXT    NOT NULL
) STRICT;

CREATE TABLE refrain_meta (
    name    TEXT NOT NULL PRIMARY KEY,
    version INTEGER
) STRICT, WITHOUT ROWID;

INSERT INTO refrain_meta (name, version) VALUES ('schema', 1);
