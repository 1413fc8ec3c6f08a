-- Refrain, schema version 2, PostgreSQL: messages that are staged in a transaction and delivered after it.
--
-- Everything in refrain_outbox waits to be delivered; what is delivered or dead leaves it, so that it stays as small as the
-- backlog.
-- lane: absent for a message that waits for nobody.
-- lease_until: until when it is someone's to deliver. Not indexed and apart from due_at, so that taking a row rewrites it in
--        place (HOT); those that are taken are few.
-- open: attempts whose end is not known, sent_at: when the first of them began.
CREATE TABLE refrain_outbox (
    seq         bigint GENERATED ALWAYS AS IDENTITY,
    id          uuid        NOT NULL,
    topic       text COLLATE "C" NOT NULL,
    lane        smallint,
    order_key   text,
    staged_at   timestamptz NOT NULL,
    due_at      timestamptz NOT NULL,
    lease_until timestamptz,
    sent_at     timestamptz,
    fence       bigint      NOT NULL DEFAULT 0,
    attempts    integer     NOT NULL DEFAULT 0,
    open        integer     NOT NULL DEFAULT 0,
    format      smallint    NOT NULL DEFAULT 1,
    reason      text,
    payload     bytea       NOT NULL,

    CONSTRAINT refrain_outbox_pk PRIMARY KEY (seq)
)
-- A queue leaves a dead row for each that went through: it is vacuumed early, and by the number and not by the share.
WITH (
    fillfactor = 70,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_threshold = 2000,
    autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.1
);
ALTER TABLE refrain_outbox ALTER COLUMN payload SET STORAGE EXTERNAL;

CREATE INDEX refrain_outbox_due ON refrain_outbox (topic, due_at) WHERE lane IS NULL;
CREATE INDEX refrain_outbox_lane ON refrain_outbox (topic, lane, seq) WHERE lane IS NOT NULL;

-- cause: 0 delivered, and kept until keep_until; 1 refused, 2 exhausted, 3 unknown: dead letters.
CREATE TABLE refrain_outbox_past (
    id         uuid        NOT NULL,
    topic      text COLLATE "C" NOT NULL,
    lane       smallint,
    order_key  text,
    staged_at  timestamptz NOT NULL,
    settled_at timestamptz NOT NULL,
    keep_until timestamptz,
    cause      smallint    NOT NULL,
    attempts   integer     NOT NULL,
    reason     text,
    payload    bytea       NOT NULL,

    CONSTRAINT refrain_outbox_past_pk PRIMARY KEY (id),
    CONSTRAINT refrain_outbox_past_cause_known CHECK (cause IN (0, 1, 2, 3)),
    CONSTRAINT refrain_outbox_past_delivered_expires CHECK ((cause = 0) = (keep_until IS NOT NULL))
);
ALTER TABLE refrain_outbox_past ALTER COLUMN payload SET STORAGE EXTERNAL;

CREATE INDEX refrain_outbox_past_keep ON refrain_outbox_past (keep_until) WHERE cause = 0;
CREATE INDEX refrain_outbox_past_dead ON refrain_outbox_past (settled_at, id) WHERE cause > 0;

-- Until when somebody looks for messages of the topic anyway.
CREATE TABLE refrain_outbox_watch (
    topic       text COLLATE "C" NOT NULL,
    awake_until timestamptz NOT NULL,

    CONSTRAINT refrain_outbox_watch_pk PRIMARY KEY (topic)
)
WITH (fillfactor = 50);

UPDATE refrain_meta SET version = 2 WHERE name = 'schema';
