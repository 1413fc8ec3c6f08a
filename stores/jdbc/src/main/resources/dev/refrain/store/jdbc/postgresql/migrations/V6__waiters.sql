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
