-- What waits in a topic, as far as two walks of bounded length see it.
WITH walked AS MATERIALIZED (
    (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
    WHERE o.topic = :topic AND o.lane IS NULL ORDER BY o.due_at LIMIT :limit)
    UNION ALL
    (SELECT o.staged_at, o.lease_until, o.reason FROM refrain_outbox o
    WHERE o.topic = :topic AND o.lane IS NOT NULL ORDER BY o.lane, o.seq LIMIT :limit)
)
SELECT count(*) AS waiting, count(*) FILTER (WHERE w.lease_until > clock_timestamp()) AS under_way,
    count(*) FILTER (WHERE w.reason IS NOT NULL) AS failing, count(*) >= :limit AS more,
    (extract(epoch FROM clock_timestamp() - min(w.staged_at)) * 1000000)::bigint AS oldest
FROM walked w
