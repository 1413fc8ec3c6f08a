-- The oldest first. Looks at no more than :walk dead letters; the last that was looked at comes along, wanted or not, so that the
-- next walk knows where to begin.
WITH walked AS MATERIALIZED (
    SELECT p.id, p.settled_at,
        (:topic::text IS NULL OR p.topic = :topic) AND (:cause::bigint IS NULL OR p.cause = :cause) AS wanted
    FROM refrain_outbox_past p
    WHERE p.cause > 0 AND (p.settled_at, p.id) > ('epoch'::timestamptz + :since * interval '1 microsecond', :id)
    ORDER BY p.settled_at, p.id LIMIT :walk
),
shown AS MATERIALIZED (
    SELECT w.id, w.wanted FROM walked w
    WHERE w.wanted OR w.id = (SELECT x.id FROM walked x ORDER BY x.settled_at DESC, x.id DESC LIMIT 1)
    ORDER BY w.settled_at, w.id LIMIT :limit + 1
)
SELECT {outbox_dead_view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s JOIN refrain_outbox_past p ON p.id = s.id
ORDER BY p.settled_at, p.id
