WITH RECURSIVE lanes AS (
    {outbox_lanes}
),
counted AS (
    SELECT (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL LIMIT :limit) a)
        + (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL LIMIT :limit) b) AS waiting,
        (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox_past x WHERE x.cause > 0 AND x.topic = :topic LIMIT :limit) c) AS dead,
        least(
            coalesce((SELECT min((SELECT o.due_at FROM refrain_outbox o WHERE o.topic = :topic AND o.lane = l.lane
                ORDER BY o.seq LIMIT 1)) FROM lanes l WHERE l.lane IS NOT NULL), {for_ever}),
            coalesce((SELECT min(o.due_at) FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL), {for_ever})) AS oldest
)
SELECT waiting, dead, waiting >= :limit OR dead >= :limit AS more, greatest(0, {now} - oldest) AS `lag` FROM counted
