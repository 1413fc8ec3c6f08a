WITH RECURSIVE lanes AS (
    {outbox_lanes}
),
fronts AS (
    SELECT f.due_at
    FROM lanes l
    CROSS JOIN LATERAL (
        SELECT o.due_at FROM refrain_outbox o WHERE o.topic = :topic AND o.lane = l.lane ORDER BY o.seq LIMIT 1
    ) f
    WHERE l.lane IS NOT NULL
),
counted AS MATERIALIZED (
    -- In the order of the index: otherwise all of a topic would be gathered to count a few.
    SELECT (SELECT count(*) FROM (
            SELECT FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL ORDER BY o.due_at LIMIT :limit) a)
        + (SELECT count(*) FROM (
            SELECT FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL
            ORDER BY o.lane, o.seq LIMIT :limit) b) AS waiting,
        (SELECT count(*) FROM (
            SELECT FROM refrain_outbox_past p WHERE p.cause > 0 AND p.topic = :topic
            ORDER BY p.settled_at, p.id LIMIT :limit) c) AS dead,
        least((SELECT min(f.due_at) FROM fronts f),
            (SELECT o.due_at FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL
            ORDER BY o.due_at LIMIT 1)) AS oldest
)
SELECT waiting, dead, waiting >= :limit OR dead >= :limit AS more,
    greatest(0, coalesce((extract(epoch FROM clock_timestamp() - oldest) * 1000000)::bigint, 0)) AS lag
FROM counted
