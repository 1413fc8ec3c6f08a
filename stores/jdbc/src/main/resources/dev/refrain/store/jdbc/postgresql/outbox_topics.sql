-- The topics in which something waits. Each is found by one look at an index, however many messages it has; the last is absent.
WITH RECURSIVE free AS (
    (SELECT o.topic FROM refrain_outbox o WHERE o.lane IS NULL ORDER BY o.topic LIMIT 1)
    UNION ALL
    SELECT (SELECT o.topic FROM refrain_outbox o WHERE o.lane IS NULL AND o.topic > f.topic ORDER BY o.topic LIMIT 1)
    FROM free f WHERE f.topic IS NOT NULL
),
ordered AS (
    (SELECT o.topic FROM refrain_outbox o WHERE o.lane IS NOT NULL ORDER BY o.topic LIMIT 1)
    UNION ALL
    SELECT (SELECT o.topic FROM refrain_outbox o WHERE o.lane IS NOT NULL AND o.topic > r.topic ORDER BY o.topic LIMIT 1)
    FROM ordered r WHERE r.topic IS NOT NULL
)
SELECT t.topic
FROM (SELECT f.topic FROM free f UNION SELECT r.topic FROM ordered r) t
WHERE t.topic IS NOT NULL
ORDER BY t.topic
