SELECT r.lookup, 0 AS fresh,
    r.scope IS NULL OR (r.scope = :scope AND r.namespace = :namespace AND r.key = :key) AS same,
    {record}, 0 AS unread
FROM refrain_record r WHERE r.lookup = :lookup
