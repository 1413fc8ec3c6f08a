--liquibase formatted sql
--changeset refrain:refrain-tables runOnChange:true splitStatements:false stripComments:false dbms:postgresql

-- Refrain's tables for PostgreSQL 15 and later, for applications whose Flyway or Liquibase creates them: see docs/operations.md.
-- Made of the files in dev/refrain/store/jdbc/postgresql/migrations; ShippedMigrationTest keeps it so.
--
-- It can be applied any number of times. It brings tables of any older version to the newest, whoever created them, and leaves
-- newer ones as they are.
DO $refrain$
DECLARE
    tables_version integer := 0;
    elsewhere text;
BEGIN
    PERFORM pg_advisory_xact_lock(6842270854038945794);
    IF to_regclass('refrain_meta') IS NOT NULL THEN
        SELECT m.version INTO tables_version FROM refrain_meta m WHERE m.name = 'schema';
    ELSE
        SELECT string_agg(n.nspname, ', ' ORDER BY n.nspname) INTO elsewhere
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relname = 'refrain_meta' AND c.relkind IN ('r', 'p');
        IF elsewhere IS NOT NULL THEN
            RAISE WARNING 'Refrain begins without keys in the schema %, and there are tables of Refrain in %. If those are this application''s, retries of their keys run again: apply this file there.',
                current_schema(), elsewhere;
        END IF;
    END IF;

IF tables_version < 1 THEN
-- Refrain, schema version 1, PostgreSQL 15 and later.
--
-- state: 1 IN_PROGRESS, 2 COMPLETED, 3 RELEASED, 4 ATTENTION.
-- parts: what was ever stored beside the record, one bit each (1 outcome, 2 request, 8 attention), so
--        that nobody looks for what never was. A bit may outlive its part; it is never missing.
-- outcome: absent where it is stored beside the record, or nowhere.
-- carried: what the last phase of a flow left for the next.
-- lease_until: absent where nobody ever looked for a lease, because the record was written at once as completed.
-- An erased record has lost its names and fingerprint; its id, fence, state and expiry stay, so that an erased payment
-- is not paid again.

-- What states there are is said by a type. PostgreSQL reads the CHECK of a table anew for each statement that writes, three
-- microseconds and more, and that of a type once, for one more: so only the states have one.
CREATE DOMAIN refrain_state AS smallint CONSTRAINT refrain_state_known CHECK (VALUE IN (1, 2, 3, 4));

CREATE TABLE refrain_record (
    lookup         uuid          NOT NULL,
    id             uuid          NOT NULL,
    owner          uuid          NOT NULL,
    fence          bigint        NOT NULL,
    lease_until    timestamptz,
    expires_at     timestamptz   NOT NULL,
    claimed_at     timestamptz   NOT NULL,
    completed_at   timestamptz,
    state          refrain_state NOT NULL,
    parts          smallint      NOT NULL DEFAULT 0,
    format         smallint      NOT NULL DEFAULT 1,
    hold           boolean       NOT NULL,
    fingerprint    bytea,
    recipe         text COLLATE "C",
    scope          text COLLATE "C",
    namespace      text COLLATE "C",
    key            text COLLATE "C",
    recovery_point text COLLATE "C",
    subject        text COLLATE "C",
    carried        bytea,
    outcome        bytea,

    CONSTRAINT refrain_record_pk PRIMARY KEY (lookup)
)
-- Completing rewrites the row in place (HOT) only if its page has room. Rows claimed together are completed together,
-- often in one transaction, so half of a page has to be kept free for the second versions. Measured with batches of 64:
-- in place are 100 % at fill factor 50, 73 % at 60, 37 % at 80, 9 % at 100, and the table is as large with each of
-- them. The thresholds: a planner that has seen the table with a handful of rows would read all of it, and keep doing
-- so with a cached plan while it grows. One that has seen nothing yet uses the primary key.
WITH (
    fillfactor = 50,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_threshold = 2000,
    autovacuum_vacuum_insert_threshold = 2000,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_insert_scale_factor = 0.1
);

-- None of the indexes below covers anything that completing changes, and none looks at the state: either would move the
-- completed row to another page and cost an entry in every index.
CREATE INDEX refrain_record_expires_at ON refrain_record (expires_at);
CREATE INDEX refrain_record_lease_until ON refrain_record (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX refrain_record_subject ON refrain_record (subject, scope) WHERE subject IS NOT NULL;

-- An outcome is in the record itself only if it is written together with the work: that takes one write instead of two.
ALTER TABLE refrain_record ALTER COLUMN outcome SET STORAGE EXTERNAL;
ALTER TABLE refrain_record ALTER COLUMN carried SET STORAGE EXTERNAL;

-- Written once, apart from the record, so that the record stays narrow; kind: as the bits of parts. Record ids are
-- minted in the order of time: this index grows at its right edge.
-- due_at, attempts: only of a request, which is here for as long as its work is not finished. When the turn of whoever
-- finishes it without its caller comes, and how often that was tried.
CREATE TABLE refrain_payload (
    record_id uuid     NOT NULL,
    kind      smallint NOT NULL,
    attempts  smallint,
    due_at    timestamptz,
    lookup    uuid,
    namespace text COLLATE "C",
    bytes     bytea    NOT NULL,

    CONSTRAINT refrain_payload_pk PRIMARY KEY (record_id, kind)
)
WITH (
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_threshold = 2000,
    autovacuum_vacuum_insert_threshold = 2000,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05
);
-- What is large is moved out of the row, but not compressed: that costs more time than the space is worth, and
-- encrypted payloads do not shrink at all.
ALTER TABLE refrain_payload ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX refrain_payload_due_at ON refrain_payload (namespace, due_at) WHERE kind = 2;

-- Which records wait for a decision, listed apart because an index on the state would cost every completion.
CREATE TABLE refrain_attention (
    lookup    uuid        NOT NULL,
    record_id uuid        NOT NULL,
    fence     bigint      NOT NULL,
    since     timestamptz NOT NULL,
    reason    text        NOT NULL,

    CONSTRAINT refrain_attention_pk PRIMARY KEY (lookup)
);

CREATE TABLE refrain_audit (
    id     bigint GENERATED ALWAYS AS IDENTITY,
    at     timestamptz NOT NULL,
    action text        NOT NULL,
    target text        NOT NULL,
    who    text        NOT NULL,
    why    text        NOT NULL,

    CONSTRAINT refrain_audit_pk PRIMARY KEY (id)
);

-- schema: the version of these tables. sweep: how far leases were walked (moment), and since when without starting
-- over.
CREATE TABLE refrain_meta (
    name    text NOT NULL,
    version integer,
    moment  timestamptz,
    since   timestamptz,

    CONSTRAINT refrain_meta_pk PRIMARY KEY (name)
);

INSERT INTO refrain_meta (name, version) VALUES ('schema', 1);
END IF;

IF tables_version < 2 THEN
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
END IF;

IF tables_version < 3 THEN
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
END IF;

IF tables_version < 4 THEN
-- Refrain, schema version 4: what may have arrived is known of a dead letter too.
--
-- open: attempts whose end is not known, sent_at: when the first of them began, both as in refrain_outbox.
ALTER TABLE refrain_outbox_past ADD COLUMN open integer NOT NULL DEFAULT 0, ADD COLUMN sent_at timestamptz;

-- Of those that are there already it was forgotten: they may have arrived.
UPDATE refrain_outbox_past SET open = 1, sent_at = staged_at WHERE cause IN (1, 2);

UPDATE refrain_meta SET version = 4 WHERE name = 'schema';
END IF;

IF tables_version < 5 THEN
-- Refrain, schema version 5: the tables say the oldest version whose code may use them.
--
-- oldest_reader: code that knows the tables up to this version, or a later one, may read and write them as they are now. Each later
-- migration sets it: to what it was if it only adds what older code need not know, to its own version if older code must stop.
ALTER TABLE refrain_meta ADD COLUMN oldest_reader integer;

-- Code of version 4 refuses to start on tables of any other version.
UPDATE refrain_meta SET version = 5, oldest_reader = 5 WHERE name = 'schema';
END IF;

IF tables_version < 6 THEN
-- Refrain, schema version 6: who waits for a record that another instance runs.
--
-- listener: the instance. until: when its registration is over unless it is extended.
-- Unlogged, because a registration that is lost with its server costs a wake-up and nothing else: whoever waits polls as well. To register
-- then writes no WAL and waits for no disk. The table is nearly always empty, and everybody who completes a record looks into it: it is
-- vacuumed early.
CREATE UNLOGGED TABLE refrain_waiter (
    lookup   uuid        NOT NULL,
    listener uuid        NOT NULL,
    until    timestamptz NOT NULL,

    CONSTRAINT refrain_waiter_pk PRIMARY KEY (lookup, listener)
)
WITH (
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_scale_factor = 0
);

-- Code of version 5 knows nothing of it and goes on as before: it wakes nobody.
UPDATE refrain_meta SET version = 6, oldest_reader = 5 WHERE name = 'schema';
END IF;

IF tables_version < 7 THEN
-- Refrain, schema version 7: a record explains itself.
--
-- operation: the route, operation, flow or topic as people call it, by reference. caller: who sent the request, where that differs from the
-- scope. trace_id: of the request that made the record. call_announced_at: when the call of the recovery point was announced. That it was is
-- still said by an exclamation mark behind recovery_point, which instances of older versions go by.
-- parts has one bit more: 16 attempts.
ALTER TABLE refrain_record
    ADD COLUMN operation integer,
    ADD COLUMN caller text COLLATE "C",
    ADD COLUMN trace_id uuid,
    ADD COLUMN call_announced_at timestamptz;

CREATE TABLE refrain_operation (
    id   integer GENERATED ALWAYS AS IDENTITY,
    name text COLLATE "C" NOT NULL,

    CONSTRAINT refrain_operation_pk PRIMARY KEY (id),
    CONSTRAINT refrain_operation_name UNIQUE (name)
);

-- Steps under whose derived keys an operation calls other systems.
CREATE TABLE refrain_step (
    operation integer NOT NULL,
    name      text COLLATE "C" NOT NULL,

    CONSTRAINT refrain_step_pk PRIMARY KEY (operation, name)
);

-- Claims of a record after the first one; the first is written down once it was given back or another one followed it. How the current one
-- ended is said by the record.
CREATE TABLE refrain_attempt (
    record_id  uuid   NOT NULL,
    fence      bigint NOT NULL,
    instance   text,
    trace_id   uuid,
    began_at   timestamptz,
    ended_at   timestamptz,
    end_reason text,

    CONSTRAINT refrain_attempt_pk PRIMARY KEY (record_id, fence)
);

-- Code of version 6 does not know the caller: where it erases a record or makes an expired one anew, the old caller would stay.
UPDATE refrain_meta SET version = 7, oldest_reader = 7 WHERE name = 'schema';
END IF;

IF tables_version < 8 THEN
-- Refrain, schema version 8: the request of a claim is kept for people until its record is settled.
--
-- refrain_payload has one kind more: 32, the request as it was received, only of records that are IN_PROGRESS or in ATTENTION. It has no
-- turn (due_at, attempts, lookup, namespace). parts has the bit 32 where there may be one.

-- Code of version 7 goes on: where it completes or releases a record of newer code, it leaves the kept request, which nobody shows any
-- more and the next completion, erasure or reaping removes. It knows no other way to lose a record.
UPDATE refrain_meta SET version = 8, oldest_reader = 7 WHERE name = 'schema';
END IF;

IF tables_version < 9 THEN
-- Refrain, schema version 9: messages and ledger entries say whose they are, so that erasure finds them.
--
-- scope, subject: whose it is and which person it is about, where its sender said so. reference: by which its sender asks what became of a message.
ALTER TABLE refrain_outbox ADD COLUMN scope text COLLATE "C";
ALTER TABLE refrain_outbox ADD COLUMN subject text COLLATE "C";
ALTER TABLE refrain_outbox ADD COLUMN reference text COLLATE "C";
ALTER TABLE refrain_outbox_past ADD COLUMN scope text COLLATE "C";
ALTER TABLE refrain_outbox_past ADD COLUMN subject text COLLATE "C";
ALTER TABLE refrain_outbox_past ADD COLUMN reference text COLLATE "C";
ALTER TABLE refrain_ledger_entry ADD COLUMN scope text COLLATE "C";
ALTER TABLE refrain_ledger_entry ADD COLUMN subject text COLLATE "C";

CREATE INDEX refrain_outbox_scope ON refrain_outbox (scope, subject) WHERE scope IS NOT NULL;
CREATE INDEX refrain_outbox_past_scope ON refrain_outbox_past (scope, subject) WHERE scope IS NOT NULL;
CREATE INDEX refrain_outbox_past_reference ON refrain_outbox_past (topic, reference) WHERE reference IS NOT NULL;
CREATE INDEX refrain_ledger_entry_scope ON refrain_ledger_entry (scope, subject) WHERE scope IS NOT NULL;

-- Code of version 8 goes on. What it delivers, gives up or resends of newer code's messages loses the three, and is then erased as a message without
-- them was: by leaving the outbox.
UPDATE refrain_meta SET version = 9, oldest_reader = 7 WHERE name = 'schema';
END IF;

IF tables_version < 10 THEN
-- Refrain, schema version 10: notes of how far the database's clock has come, so that one that was set back is noticed. They are rows of
-- refrain_meta, which has had the columns since version 1: see clock.sql.

INSERT INTO refrain_meta (name, moment) VALUES ('clock', clock_timestamp());

-- Code of version 9 takes and heeds no notes.
UPDATE refrain_meta SET version = 10, oldest_reader = 7 WHERE name = 'schema';
END IF;
END
$refrain$;
