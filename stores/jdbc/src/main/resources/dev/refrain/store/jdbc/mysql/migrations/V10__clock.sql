-- Refrain, schema version 10, MySQL 8.0 and later, MariaDB 10.6 and later: all tables. These databases have no older version.
--
-- Each statement commits by itself here, so each can be run again: after a crash in the middle, or beside another instance that starts at the
-- same moment. The version is written last.
--
-- state: 1 IN_PROGRESS, 2 COMPLETED, 3 RELEASED, 4 ATTENTION. Times are microseconds since 1970, whatever the time zone of a session; the
-- greatest integer is for ever. Names are bytes (UTF-8): no collation makes equal what differs in case or by a space at its end. To read one:
-- CONVERT(scope USING utf8mb4).
-- parts: what was ever stored beside the record, one bit each (1 outcome, 2 request, 4 carried state, 8 attention, 16 attempts, 32 kept
--        request), so that nobody looks for what never was. A bit may outlive its part; it is never missing.
-- An erased record has lost its names and fingerprint; its id, fence, state and expiry stay, so that an erased payment is not paid again.
--
-- InnoDB keeps rows in the order of the primary key: the record is narrow, and what is large is apart, in the order of time.
CREATE TABLE IF NOT EXISTS refrain_record (
    lookup            BINARY(16)      NOT NULL,
    id                BINARY(16)      NOT NULL,
    owner             BINARY(16)      NOT NULL,
    fence             BIGINT          NOT NULL,
    lease_until       BIGINT          NOT NULL,
    expires_at        BIGINT          NOT NULL,
    claimed_at        BIGINT          NOT NULL,
    completed_at      BIGINT,
    state             TINYINT         NOT NULL,
    parts             SMALLINT        NOT NULL DEFAULT 0,
    format            SMALLINT        NOT NULL DEFAULT 1,
    hold              BOOLEAN         NOT NULL,
    fingerprint       BINARY(32),
    recipe            VARBINARY(512),
    scope             VARBINARY(512),
    namespace         VARBINARY(512),
    `key`             VARBINARY(512),
    recovery_point    VARBINARY(1024),
    subject           VARBINARY(1024),
    operation         INT,
    caller            VARBINARY(1024),
    trace_id          BINARY(16),
    call_announced_at BIGINT,

    PRIMARY KEY (lookup),
    KEY refrain_record_expires_at (expires_at),
    KEY refrain_record_lease_until (state, lease_until),
    KEY refrain_record_subject (subject),
    CONSTRAINT refrain_record_state_known CHECK (state BETWEEN 1 AND 4),
    CONSTRAINT refrain_record_completed_has_time CHECK ((state = 2) = (completed_at IS NOT NULL)),
    CONSTRAINT refrain_record_outcome_only_completed CHECK (state = 2 OR parts & 1 = 0),
    CONSTRAINT refrain_record_attention_is_listed CHECK (state <> 4 OR parts & 8 <> 0),
    CONSTRAINT refrain_record_whole_or_erased CHECK (
        (fingerprint IS NOT NULL AND recipe IS NOT NULL AND scope IS NOT NULL AND namespace IS NOT NULL AND `key` IS NOT NULL)
        OR (coalesce(fingerprint, recipe, scope, namespace, `key`, subject) IS NULL AND state IN (2, 3))
    )
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- kind: as the bits of parts. due_at, attempts, lookup, namespace: only of a request (2), which is here for as long as its work is not
-- finished: when the turn of whoever finishes it without its caller comes, and how often that was tried.
CREATE TABLE IF NOT EXISTS refrain_payload (
    record_id BINARY(16)     NOT NULL,
    kind      TINYINT        NOT NULL,
    attempts  INT,
    due_at    BIGINT,
    lookup    BINARY(16),
    namespace VARBINARY(512),
    bytes     LONGBLOB       NOT NULL,

    PRIMARY KEY (record_id, kind),
    KEY refrain_payload_due_at (namespace, due_at),
    CONSTRAINT refrain_payload_kind_known CHECK (kind IN (1, 2, 4, 32)),
    CONSTRAINT refrain_payload_request_has_its_turn CHECK (
        (kind = 2) = (due_at IS NOT NULL) AND (kind = 2) = (attempts IS NOT NULL) AND (kind = 2) = (lookup IS NOT NULL)
            AND (kind = 2) = (namespace IS NOT NULL))
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS refrain_attention (
    lookup    BINARY(16) NOT NULL,
    record_id BINARY(16) NOT NULL,
    fence     BIGINT     NOT NULL,
    since     BIGINT     NOT NULL,
    reason    MEDIUMTEXT NOT NULL,

    PRIMARY KEY (lookup),
    KEY refrain_attention_since (since, lookup)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS refrain_audit (
    id     BIGINT     NOT NULL AUTO_INCREMENT,
    at     BIGINT     NOT NULL,
    action MEDIUMTEXT NOT NULL,
    target MEDIUMTEXT NOT NULL,
    who    MEDIUMTEXT NOT NULL,
    why    MEDIUMTEXT NOT NULL,

    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS refrain_operation (
    id   INT            NOT NULL AUTO_INCREMENT,
    name VARBINARY(900) NOT NULL,

    PRIMARY KEY (id),
    UNIQUE KEY refrain_operation_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- Steps under whose derived keys an operation calls other systems.
CREATE TABLE IF NOT EXISTS refrain_step (
    operation INT            NOT NULL,
    name      VARBINARY(900) NOT NULL,

    PRIMARY KEY (operation, name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- Claims of a record after the first one; the first is written down once it was given back or another one followed it. How the current one
-- ended is said by the record.
CREATE TABLE IF NOT EXISTS refrain_attempt (
    record_id  BINARY(16) NOT NULL,
    fence      BIGINT     NOT NULL,
    instance   VARBINARY(1024),
    trace_id   BINARY(16),
    began_at   BIGINT,
    ended_at   BIGINT,
    end_reason MEDIUMTEXT,

    PRIMARY KEY (record_id, fence)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- Everything in refrain_outbox waits to be delivered; what is delivered or dead leaves it.
-- lane: absent for a message that waits for nobody. lease_until: until when it is someone's to deliver; 0 if it is nobody's.
-- open: attempts whose end is not known, sent_at: when the first of them began.
CREATE TABLE IF NOT EXISTS refrain_outbox (
    seq         BIGINT         NOT NULL AUTO_INCREMENT,
    id          BINARY(16)     NOT NULL,
    topic       VARBINARY(512) NOT NULL,
    lane        SMALLINT,
    order_key   BLOB,
    staged_at   BIGINT         NOT NULL,
    due_at      BIGINT         NOT NULL,
    lease_until BIGINT         NOT NULL DEFAULT 0,
    sent_at     BIGINT,
    fence       BIGINT         NOT NULL DEFAULT 0,
    attempts    INT            NOT NULL DEFAULT 0,
    open        INT            NOT NULL DEFAULT 0,
    format      SMALLINT       NOT NULL DEFAULT 1,
    reason      MEDIUMTEXT,
    payload     LONGBLOB       NOT NULL,
    scope       VARBINARY(512),
    subject     VARBINARY(1024),
    reference   VARBINARY(1024),

    PRIMARY KEY (seq),
    KEY refrain_outbox_due (topic, lane, due_at),
    KEY refrain_outbox_lane (topic, lane, seq),
    KEY refrain_outbox_scope (scope, subject),
    CONSTRAINT refrain_outbox_attempts_counted CHECK (attempts >= 0 AND open >= 0)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- cause: 0 delivered, and kept until keep_until; 1 refused, 2 exhausted, 3 unknown: dead letters.
CREATE TABLE IF NOT EXISTS refrain_outbox_past (
    id         BINARY(16)     NOT NULL,
    topic      VARBINARY(512) NOT NULL,
    lane       SMALLINT,
    order_key  BLOB,
    staged_at  BIGINT         NOT NULL,
    settled_at BIGINT         NOT NULL,
    keep_until BIGINT,
    cause      TINYINT        NOT NULL,
    attempts   INT            NOT NULL,
    open       INT            NOT NULL DEFAULT 0,
    sent_at    BIGINT,
    reason     MEDIUMTEXT,
    payload    LONGBLOB       NOT NULL,
    scope      VARBINARY(512),
    subject    VARBINARY(1024),
    reference  VARBINARY(1024),

    PRIMARY KEY (id),
    KEY refrain_outbox_past_keep (cause, keep_until),
    KEY refrain_outbox_past_dead (cause, settled_at, id),
    KEY refrain_outbox_past_scope (scope, subject),
    KEY refrain_outbox_past_reference (topic, reference),
    CONSTRAINT refrain_outbox_past_cause_known CHECK (cause IN (0, 1, 2, 3)),
    CONSTRAINT refrain_outbox_past_delivered_expires CHECK ((cause = 0) = (keep_until IS NOT NULL))
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- Its row is the lock of those who take messages of the topic.
CREATE TABLE IF NOT EXISTS refrain_outbox_watch (
    topic       VARBINARY(512) NOT NULL,
    awake_until BIGINT         NOT NULL,

    PRIMARY KEY (topic)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- ours, theirs: the amounts; absent where that side does not know the entry. ours_at, theirs_at: when it was announced here and when it was
-- first seen there, both by this database's clock. confirmed: the answer came back. twice: two entries of the ledger have the same key.
-- finding: 0 none, 1 only ours, 2 only theirs, 3 amounts differ, 4 twice, 5 unrecorded. dismissed: the finding that a person closed.
CREATE TABLE IF NOT EXISTS refrain_ledger_entry (
    ledger    VARBINARY(512)  NOT NULL,
    `key`     VARBINARY(1024) NOT NULL,
    record_id BINARY(16),
    point     VARBINARY(1024),
    ours      BIGINT,
    theirs    BIGINT,
    ours_at   BIGINT,
    theirs_at BIGINT,
    theirs_id VARBINARY(1024),
    confirmed BOOLEAN         NOT NULL DEFAULT false,
    twice     BOOLEAN         NOT NULL DEFAULT false,
    finding   TINYINT         NOT NULL DEFAULT 0,
    dismissed TINYINT         NOT NULL DEFAULT 0,
    found_at  BIGINT,
    scope     VARBINARY(512),
    subject   VARBINARY(1024),

    PRIMARY KEY (ledger, `key`),
    KEY refrain_ledger_entry_unseen (ledger, theirs_at, ours_at),
    KEY refrain_ledger_entry_found (ledger, found_at, `key`),
    KEY refrain_ledger_entry_scope (scope, subject)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- read_until: when the last pass began that was read to its end.
CREATE TABLE IF NOT EXISTS refrain_ledger (
    name       VARBINARY(512) NOT NULL,
    read_until BIGINT         NOT NULL,

    PRIMARY KEY (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- schema: the version of these tables, and the oldest whose code may use them. moment, since: see clock.sql.
CREATE TABLE IF NOT EXISTS refrain_meta (
    name          VARBINARY(255) NOT NULL,
    version       INT,
    oldest_reader INT,
    moment        BIGINT,
    since         BIGINT,

    PRIMARY KEY (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4;

-- Nothing is known about this server's clock yet. Of two instances that start at once, the second changes nothing.
INSERT INTO refrain_meta (name, version, oldest_reader) VALUES ('schema', 10, 7) ON DUPLICATE KEY UPDATE name = refrain_meta.name;
