-- Each lane is found by one look at the index, however many rows it has.
WITH RECURSIVE found (lane) AS (
    SELECT min(o.lane) FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL
    UNION ALL
    SELECT (SELECT min(o.lane) FROM refrain_outbox o WHERE o.topic = :topic AND o.lane > f.lane)
    FROM found f WHERE f.lane IS NOT NULL
)
SELECT lane FROM found WHERE lane IS NOT NULL
