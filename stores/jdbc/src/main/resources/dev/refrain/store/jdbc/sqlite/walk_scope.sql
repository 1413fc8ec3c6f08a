-- A scope's records lie side by side in the primary key. Looks at no more than :walk of them; the last that was looked at comes
-- along, wanted or not, so that the next walk knows where to begin.
WITH walked AS MATERIALIZED (
    SELECT r.lookup, {wanted} FROM refrain_record r
    WHERE r.lookup >= :first AND r.lookup <= :last
    ORDER BY r.lookup LIMIT :walk
),
shown AS MATERIALIZED (
    SELECT w.lookup, w.wanted FROM walked w
    WHERE w.wanted OR w.lookup = (SELECT x.lookup FROM walked x ORDER BY x.lookup DESC LIMIT 1)
    ORDER BY w.lookup LIMIT :limit + 1
)
SELECT {view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN {viewed}
WHERE r.lookup = s.lookup
ORDER BY r.lookup
