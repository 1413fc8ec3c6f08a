-- What waits in a topic, as far as two walks of bounded length see it.
WITH walked AS MATERIALIZED (
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NULL ORDER BY o.due_at LIMIT :limit)
    UNION ALL
    SELECT * FROM (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
        WHERE o.topic = :topic AND o.lane IS NOT NULL ORDER BY o.lane, o.seq LIMIT :limit)
)
SELECT count(*) AS waiting, count(*) FILTER (WHERE lease_until > {now}) AS under_way,
    count(*) FILTER (WHERE reason IS NOT NULL) AS failing, count(*) >= :limit AS more,
    ({now} - min(staged_at)) * 1000 AS oldest
FROM walked
