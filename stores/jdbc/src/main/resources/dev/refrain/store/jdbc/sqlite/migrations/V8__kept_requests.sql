-- Refrain, schema version 8: the request of a claim is kept for people until its record is settled.
--
-- refrain_payload has one kind more: 32, the request as it was received, only of records that are IN_PROGRESS or in ATTENTION. It has no
-- turn (due_at, attempts, lookup, namespace). parts has the bit 32 where there may be one.

-- SQLite cannot change a CHECK: the table is made anew.
CREATE TABLE refrain_payload_8 (
    record_id BLOB    NOT NULL,
    kind      INTEGER NOT NULL CHECK (kind IN (1, 2, 4, 32)),
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

INSERT INTO refrain_payload_8 (record_id, kind, attempts, due_at, lookup, namespace, bytes)
SELECT record_id, kind, attempts, due_at, lookup, namespace, bytes FROM refrain_payload;

DROP TABLE refrain_payload;

ALTER TABLE refrain_payload_8 RENAME TO refrain_payload;

CREATE INDEX refrain_payload_due_at ON refrain_payload (namespace, due_at) WHERE kind = 2;

-- Code of version 7 goes on: where it releases a record of newer code, it leaves the kept request, which nobody shows any more and the next
-- completion, erasure or reaping removes. It knows no other way to lose a record.
UPDATE refrain_meta SET version = 8, oldest_reader = 7 WHERE name = 'schema';
