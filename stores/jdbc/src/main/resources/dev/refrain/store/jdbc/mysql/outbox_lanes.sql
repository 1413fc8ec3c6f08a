-- To follow "WITH RECURSIVE lanes AS". Each lane is found by one look at the index, however many rows it has; the last is absent.
SELECT min(o.lane) AS lane FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL
UNION ALL
SELECT (SELECT min(o.lane) FROM refrain_outbox o WHERE o.topic = :topic AND o.lane > l.lane)
FROM lanes l WHERE l.lane IS NOT NULL
