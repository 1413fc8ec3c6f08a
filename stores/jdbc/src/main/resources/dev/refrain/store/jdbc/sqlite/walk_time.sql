-- The newest first, by the index that is there only for those who browse. Looks at no more than :walk records; the last that was
-- looked at comes along, wanted or not, so that the next walk knows where to begin.
WITH walked AS MATERIALIZED (
    SELECT r.lookup, r.claimed_at, r.id, {wanted} FROM refrain_record r
    WHERE (r.claimed_at, r.id) < (:until / 1000, :before)
        AND r.claimed_at >= :since / 1000
    ORDER BY r.claimed_at DESC, r.id DESC LIMIT :walk
),
shown AS MATERIALIZED (
    SELECT w.lookup, w.wanted FROM walked w
    WHERE w.wanted OR w.id = (SELECT x.id FROM walked x ORDER BY x.claimed_at, x.id LIMIT 1)
    ORDER BY w.claimed_at DESC, w.id DESC LIMIT :limit + 1
)
SELECT {view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN {viewed}
WHERE r.lookup = s.lookup
ORDER BY r.claimed_at DESC, r.id DESC
