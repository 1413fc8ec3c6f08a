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
