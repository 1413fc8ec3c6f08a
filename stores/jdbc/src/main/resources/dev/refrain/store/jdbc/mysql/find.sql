-- Reads. Without a scope the identity is not compared: whoever asks so names the record by its claim.
SELECT r.lookup, 0 AS fresh,
    a.scope IS NULL OR r.scope IS NULL OR (r.scope = a.scope AND r.namespace = a.namespace AND r.key = a.key) AS same,
    {record}
FROM {rows(lookup uuid, scope text, namespace text, key text)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
