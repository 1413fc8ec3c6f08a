-- What flows left beside the record is said to be there (unread), and read only then: looking for it costs every run.
SELECT r.lookup, false AS fresh,
    r.scope IS NULL OR (r.scope = :scope AND r.namespace = :namespace AND r.key = :key) AS same,
    {outcome}, NULL AS request, NULL AS carried, r.state <> 2 AND r.parts & 6 <> 0 AS unread
FROM refrain_record r WHERE r.lookup = :lookup
