-- name: version
SELECT version FROM refrain_meta WHERE name = 'schema'

-- name: oldest_reader
SELECT oldest_reader FROM refrain_meta WHERE name = 'schema'

-- name: encryption_marks
SELECT name FROM refrain_meta WHERE name LIKE 'encryption.%'

-- name: payloads_not_beginning_with
-- Asked only of a store without marks: a thousand payloads of each kind tell whether it was in use without encryption. First bytes alone are
-- gathered: for whole payloads MariaDB makes temporary tables on disk, and its 11.4.5 ended by a fault of its own when it dropped them.
SELECT 1 AS found FROM (
    SELECT initial FROM (SELECT substr(bytes, 1, 1) AS initial FROM refrain_payload LIMIT 1000) beside
    UNION ALL SELECT initial FROM (SELECT substr(payload, 1, 1) AS initial FROM refrain_outbox LIMIT 1000) messages
    UNION ALL SELECT initial FROM (SELECT substr(payload, 1, 1) AS initial FROM refrain_outbox_past LIMIT 1000) past
    {payloads_in_records}
) payloads
WHERE initial <> :first
LIMIT 1
