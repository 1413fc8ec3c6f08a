-- To follow "WITH RECURSIVE lanes AS". Each lane is found by one look at the index, however many rows it has; the last is absent.
(SELECT o.lane FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL ORDER BY o.lane LIMIT 1)
UNION ALL
SELECT (SELECT o.lane FROM refrain_outbox o WHERE o.topic = :topic AND o.lane > l.lane ORDER BY o.lane LIMIT 1)
FROM lanes l WHERE l.lane IS NOT NULL
