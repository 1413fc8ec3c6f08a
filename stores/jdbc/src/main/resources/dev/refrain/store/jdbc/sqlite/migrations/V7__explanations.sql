-- Refrain, schema version 7: a record explains itself.
--
-- operation: the route, operation, flow or topic as people call it, by reference. caller: who sent the request, where that differs from the
-- scope. trace_id: of the request that made the record. call_announced_at: when the call of the recovery point was announced. That it was is
-- still said by an exclamation mark behind recovery_point, which instances of older versions go by.
-- parts has one bit more: 16 attempts.
ALTER TABLE refrain_record ADD COLUMN operation INTEGER;
ALTER TABLE refrain_record ADD COLUMN caller TEXT;
ALTER TABLE refrain_record ADD COLUMN trace_id BLOB CHECK (length(trace_id) = 16);
ALTER TABLE refrain_record ADD COLUMN call_announced_at INTEGER;

CREATE TABLE refrain_operation (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Steps under whose derived keys an operation calls other systems.
CREATE TABLE refrain_step (
    operation INTEGER NOT NULL,
    name      TEXT    NOT NULL,

    PRIMARY KEY (operation, name)
) STRICT, WITHOUT ROWID;

-- Claims of a record after the first one; the first is written down once it was given back or another one followed it. How the current one
-- ended is said by the record.
CREATE TABLE refrain_attempt (
    record_id  BLOB    NOT NULL,
    fence      INTEGER NOT NULL,
    instance   TEXT,
    trace_id   BLOB,
    began_at   INTEGER,
    ended_at   INTEGER,
    end_reason TEXT,

    PRIMARY KEY (record_id, fence)
) STRICT, WITHOUT ROWID;

-- Code of version 6 does not know the caller: where it erases a record or makes an expired one anew, the old caller would stay.
UPDATE refrain_meta SET version = 7, oldest_reader = 7 WHERE name = 'schema';
