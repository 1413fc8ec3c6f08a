-- The topics in which something waits. Each is found by one look at an index, however many messages it has; the last is absent.
WITH RECURSIVE free (topic) AS (
    SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NULL
    UNION ALL
    SELECT (SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NULL AND o.topic > f.topic)
    FROM free f WHERE f.topic IS NOT NULL
),
ordered (topic) AS (
    SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NOT NULL
    UNION ALL
    SELECT (SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NOT NULL AND o.topic > r.topic)
    FROM ordered r WHERE r.topic IS NOT NULL
)
SELECT t.topic
FROM (SELECT topic FROM free UNION SELECT topic FROM ordered) t
WHERE t.topic IS NOT NULL
ORDER BY t.topic
