-- In the order of staging. Looks at no more than :walk messages; the last that was looked at comes along, wanted or not, so that
-- the next walk knows where to begin.
WITH walked AS MATERIALIZED (
    SELECT o.seq, (:topic::text IS NULL OR o.topic = :topic) AND (NOT :failing OR o.reason IS NOT NULL) AS wanted
    FROM refrain_outbox o WHERE o.seq > :after ORDER BY o.seq LIMIT :walk
),
shown AS MATERIALIZED (
    SELECT w.seq, w.wanted FROM walked w
    WHERE w.wanted OR w.seq = (SELECT max(x.seq) FROM walked x)
    ORDER BY w.seq LIMIT :limit + 1
)
SELECT o.seq, o.id, o.topic, o.order_key, o.attempts, o.reason, octet_length(o.payload) AS bytes,
    (extract(epoch FROM o.staged_at) * 1000000)::bigint AS staged, (extract(epoch FROM o.due_at) * 1000000)::bigint AS due,
    (extract(epoch FROM o.lease_until) * 1000000)::bigint AS taken_until,
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS seen,
    s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s JOIN refrain_outbox o ON o.seq = s.seq
ORDER BY o.seq
