-- name: version
SELECT version FROM refrain_meta WHERE name = 'schema'

-- name: oldest_reader
SELECT oldest_reader FROM refrain_meta WHERE name = 'schema'

-- name: browsing_index
-- Not part of the schema: whoever does not browse does not pay for it. It grows at its right edge, and completing changes neither
-- column. The time comes first: an index that begins with the id would be taken by the statements that name (lookup, id).
{one_at_a_time}

CREATE INDEX IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)

-- name: browsing_index_beside
CREATE INDEX {concurrently} IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)

-- name: encryption_marks
SELECT name FROM refrain_meta WHERE name LIKE 'encryption.%'

-- name: encryption_mark
INSERT INTO refrain_meta (name) VALUES (:name) ON CONFLICT (name) DO NOTHING

-- name: payloads_not_beginning_with
-- Asked only of a store without marks: a thousand payloads of each kind tell whether it was in use without encryption.
SELECT 1 AS found FROM (
    SELECT bytes FROM (SELECT bytes FROM refrain_payload LIMIT 1000) beside
    UNION ALL SELECT bytes FROM (SELECT payload AS bytes FROM refrain_outbox LIMIT 1000) messages
    UNION ALL SELECT bytes FROM (SELECT payload AS bytes FROM refrain_outbox_past LIMIT 1000) past
    {payloads_in_records}
) payloads
WHERE substr(bytes, 1, 1) <> :first
LIMIT 1
