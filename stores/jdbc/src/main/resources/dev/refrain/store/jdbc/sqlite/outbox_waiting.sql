-- In the order of staging. Looks at no more than :walk messages; the last that was looked at comes along, wanted or not, so that
-- the next walk knows where to begin.
WITH walked AS MATERIALIZED (
    SELECT o.seq, (:topic IS NULL OR o.topic = :topic) AND (NOT :failing OR o.reason IS NOT NULL) AS wanted
    FROM refrain_outbox o WHERE o.seq > :after ORDER BY o.seq LIMIT :walk
),
shown AS MATERIALIZED (
    SELECT w.seq, w.wanted FROM walked w
    WHERE w.wanted OR w.seq = (SELECT max(x.seq) FROM walked x)
    ORDER BY w.seq LIMIT :limit + 1
)
SELECT o.seq, o.id, o.topic, o.order_key, o.attempts, o.reason, length(o.payload) AS bytes,
    o.staged_at * 1000 AS staged, o.due_at * 1000 AS due, nullif(o.lease_until, 0) * 1000 AS taken_until, {now} * 1000 AS seen,
    s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN refrain_outbox o
WHERE o.seq = s.seq
ORDER BY o.seq
