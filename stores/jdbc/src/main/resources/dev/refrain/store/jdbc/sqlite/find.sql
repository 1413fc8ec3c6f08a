-- Reads. Without a scope the identity is not compared: whoever asks so names the record by its claim.
SELECT r.lookup, 0 AS fresh,
    :scope IS NULL OR r.scope IS NULL
        OR (r.scope = :scope AND r.namespace = :namespace AND r.key = :key) AS same,
    {record}
FROM refrain_record r WHERE r.lookup = :lookup
