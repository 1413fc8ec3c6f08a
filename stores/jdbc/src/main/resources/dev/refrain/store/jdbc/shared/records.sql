-- Records, as people and transactions look for them.

-- name: read_entered
-- Whether there is a record at all. Most runs are the first of their key, and reading what is not there would cost them.
SELECT r.lookup FROM refrain_record r WHERE r.lookup = :lookup

-- name: count
SELECT count(*) AS found FROM (
    SELECT 1 FROM refrain_record r WHERE r.lookup BETWEEN :first AND :last AND r.scope = :scope LIMIT :up_to
) counted

-- name: view_id
-- An id says when it was minted, so that the index by time finds it; nothing of the table is read for those beside it.
SELECT {view} FROM {viewed}
WHERE r.claimed_at >= {moment(:since)} AND r.claimed_at <= {moment(:until)} AND r.id = :id AND {alive}

-- name: view_one
SELECT {view} FROM {viewed} WHERE r.lookup = :lookup AND {alive}

-- name: explain
SELECT {explained} FROM {viewed}
WHERE r.lookup = :lookup AND r.scope = :scope AND r.namespace = :namespace AND r.key = :key AND {alive}

-- name: kept_request
-- Only of what is open: an instance of schema 7 that settles a record leaves its kept request to the reaper.
SELECT p.bytes FROM refrain_record r JOIN refrain_payload p ON p.record_id = r.id AND p.kind = 32
WHERE r.lookup = :lookup AND r.scope = :scope AND r.namespace = :namespace AND r.key = :key AND r.state IN (1, 4)

-- name: attention
SELECT {explained}, r.scope, r.namespace, r.key
FROM refrain_attention t
JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
LEFT JOIN refrain_operation o ON o.id = r.operation
WHERE ({micros(t.since)}, t.lookup) > (:since, :lookup)
ORDER BY t.since, t.lookup
LIMIT :limit

-- name: unfinished
-- What is unfinished has its request stored: those rows are looked at, and their records by key.
SELECT {explained}, r.scope, r.namespace, r.key, p.attempts
FROM refrain_payload p JOIN refrain_record r ON r.lookup = p.lookup AND r.id = p.record_id
LEFT JOIN refrain_attention t ON r.state = 4 AND t.lookup = r.lookup AND t.record_id = r.id AND t.fence = r.fence
LEFT JOIN refrain_operation o ON o.id = r.operation
WHERE p.kind = 2 AND p.namespace = :namespace AND r.claimed_at < {now} - {span(:longer_than)}
    AND r.state IN (1, 3, 4) AND {alive}
ORDER BY r.claimed_at
LIMIT :limit

-- name: walk_scope
-- A scope's records lie side by side in the primary key. Looks at no more than :walk of them; the last that was looked at comes
-- along, wanted or not, so that the next walk knows where to begin.
WITH walked {materialized} (
    SELECT r.lookup, {wanted} FROM refrain_record r
    WHERE r.lookup >= :first AND r.lookup <= :last
    ORDER BY r.lookup LIMIT :walk
),
shown {materialized} (
    SELECT w.lookup, w.wanted FROM walked w
    WHERE w.wanted OR w.lookup = (SELECT x.lookup FROM walked x ORDER BY x.lookup DESC LIMIT 1)
    ORDER BY w.lookup LIMIT :one_more
)
SELECT {view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
-- CROSS JOIN: SQLite looks the few up in the many, and not the other way round.
FROM shown s CROSS JOIN {viewed}
WHERE r.lookup = s.lookup
ORDER BY r.lookup

-- name: walk_time
-- The newest first, by the index that is there only for those who browse. Looks at no more than :walk records; the last that was
-- looked at comes along, wanted or not, so that the next walk knows where to begin.
WITH walked {materialized} (
    SELECT r.lookup, r.claimed_at, r.id, {wanted} FROM refrain_record r
    WHERE (r.claimed_at, r.id) < ({moment(:until)}, :before) AND r.claimed_at >= {moment(:since)}
    ORDER BY r.claimed_at DESC, r.id DESC LIMIT :walk
),
shown {materialized} (
    SELECT w.lookup, w.wanted FROM walked w
    WHERE w.wanted OR w.id = (SELECT x.id FROM walked x ORDER BY x.claimed_at, x.id LIMIT 1)
    ORDER BY w.claimed_at DESC, w.id DESC LIMIT :one_more
)
SELECT {view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN {viewed}
WHERE r.lookup = s.lookup
ORDER BY r.claimed_at DESC, r.id DESC

-- name: audit_entry
INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :target, :who, :why)

-- name: audit
SELECT {micros(a.at)} AS at, a.action, a.target, a.who, a.why FROM refrain_audit a ORDER BY a.id DESC LIMIT :limit

-- name: audit_of
-- The trail has no index by what it is about: it is written seldom and read even less. So no further back than a bound.
SELECT {micros(a.at)} AS at, a.action, a.target, a.who, a.why
FROM (SELECT * FROM refrain_audit ORDER BY id DESC LIMIT :walk) a
WHERE a.target = :target
ORDER BY a.id DESC LIMIT :limit
