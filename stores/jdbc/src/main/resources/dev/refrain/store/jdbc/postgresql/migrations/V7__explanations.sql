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
