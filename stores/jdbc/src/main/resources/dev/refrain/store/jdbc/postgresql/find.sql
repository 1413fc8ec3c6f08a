-- Reads. Without a scope the identity is not compared: whoever asks so names the record by its claim.
SELECT a.lookup, false AS fresh,
    a.scope IS NULL OR r.scope IS NULL
        OR (r.scope = a.scope AND r.namespace = a.namespace AND r.key = a.key) AS same,
    {record}
FROM unnest(:lookup::uuid[], :scope::text[], :namespace::text[], :key::text[]) AS a (lookup, scope, namespace, key)
JOIN refrain_record r ON r.lookup = a.lookup
