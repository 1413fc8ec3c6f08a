WITH counted AS (
    SELECT (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL LIMIT :limit))
        + (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NOT NULL LIMIT :limit)) AS waiting,
        (SELECT count(*) FROM (
            SELECT 1 FROM refrain_outbox_past WHERE cause > 0 AND topic = :topic LIMIT :limit)) AS dead,
        min(
            coalesce((SELECT min((
                SELECT o.due_at FROM refrain_outbox o WHERE o.topic = :topic AND o.lane = l.lane ORDER BY o.seq LIMIT 1))
                FROM ({outbox_lanes}) l), {for_ever}),
            coalesce((SELECT o.due_at FROM refrain_outbox o WHERE o.topic = :topic AND o.lane IS NULL
                ORDER BY o.due_at LIMIT 1), {for_ever})) AS oldest
)
SELECT waiting, dead, waiting >= :limit OR dead >= :limit AS more, max(0, {now} - oldest) * 1000 AS lag FROM counted
