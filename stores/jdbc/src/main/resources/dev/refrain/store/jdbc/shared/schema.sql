-- name: version
SELECT version FROM refrain_meta WHERE name = 'schema'

-- name: oldest_reader
SELECT oldest_reader FROM refrain_meta WHERE name = 'schema'

-- name: encryption_marks
SELECT name FROM refrain_meta WHERE name LIKE 'encryption.%'

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
