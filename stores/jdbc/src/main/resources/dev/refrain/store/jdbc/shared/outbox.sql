-- Messages, as people look at them, and what is done once they are settled.

-- name: outbox_topics
-- The topics in which something waits. Each is found by one look at an index, however many messages it has; the last is absent.
WITH RECURSIVE free (topic) AS (
    SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NULL
    UNION ALL
    SELECT (SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NULL AND o.topic > f.topic)
    FROM free f WHERE f.topic IS NOT NULL
),
ordered (topic) AS (
    SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NOT NULL
    UNION ALL
    SELECT (SELECT min(o.topic) FROM refrain_outbox o WHERE o.lane IS NOT NULL AND o.topic > r.topic)
    FROM ordered r WHERE r.topic IS NOT NULL
)
SELECT t.topic
FROM (SELECT f.topic FROM free f UNION SELECT r.topic FROM ordered r) t
WHERE t.topic IS NOT NULL
ORDER BY t.topic

-- name: outbox_waiting
-- In the order of staging. Looks at no more than :walk messages; the last that was looked at comes along, wanted or not, so that
-- the next walk knows where to begin.
WITH walked {materialized} (
    SELECT o.seq, ({as_text(:topic)} IS NULL OR o.topic = :topic) AND (NOT :failing OR o.reason IS NOT NULL) AS wanted
    FROM refrain_outbox o WHERE o.seq > :after ORDER BY o.seq LIMIT :walk
),
shown {materialized} (
    SELECT w.seq, w.wanted FROM walked w
    WHERE w.wanted OR w.seq = (SELECT max(x.seq) FROM walked x)
    ORDER BY w.seq LIMIT :one_more
)
SELECT o.seq, o.id, o.topic, o.order_key, o.attempts, o.reason, {size(o.payload)} AS bytes,
    {micros(o.staged_at)} AS staged, {micros(o.due_at)} AS due, {micros({lease_end(o.lease_until)})} AS taken_until,
    {micros({now})} AS seen, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN refrain_outbox o
WHERE o.seq = s.seq
ORDER BY o.seq

-- name: dead_letters
SELECT p.id, p.topic, p.cause, p.reason, p.attempts, p.payload, {micros(p.settled_at)} AS since
FROM refrain_outbox_past p
WHERE p.cause > 0 AND (p.settled_at, p.id) > ({moment(:since)}, :id)
ORDER BY p.settled_at, p.id
LIMIT :limit

-- name: dead_letter_referred
SELECT p.id, p.topic, p.cause, p.reason, p.attempts, p.payload, {micros(p.settled_at)} AS since
FROM refrain_outbox_past p
WHERE p.topic = :topic AND p.reference = :reference AND p.cause > 0
ORDER BY p.settled_at DESC, p.id DESC
LIMIT 1

-- name: messages_in_use
SELECT (SELECT count(*) FROM refrain_outbox o
        WHERE o.scope = :scope AND ({as_text(:subject)} IS NULL OR o.subject = :subject))
    + (SELECT count(*) FROM refrain_outbox_past p
        WHERE p.cause > 0 AND p.scope = :scope AND ({as_text(:subject)} IS NULL OR p.subject = :subject)) AS in_use

-- name: dead_letter_head
SELECT {dead_letter_view} FROM refrain_outbox_past p WHERE p.id = :id AND p.cause > 0

-- name: dead_letter_payload
SELECT {dead_letter_view}, p.payload FROM refrain_outbox_past p WHERE p.id = :id AND p.cause > 0

-- name: dead_letter_topics
-- There is no index by topic: dead letters are to be few. So no more of them than a bound.
SELECT d.topic, count(*) AS dead
FROM (SELECT p.topic FROM refrain_outbox_past p WHERE p.cause > 0 ORDER BY p.settled_at, p.id LIMIT :limit) d
GROUP BY d.topic

-- name: dead_letter_walk
-- The oldest first. Looks at no more than :walk dead letters; the last that was looked at comes along, wanted or not, so that the
-- next walk knows where to begin.
WITH walked {materialized} (
    SELECT p.id, p.settled_at,
        ({as_text(:topic)} IS NULL OR p.topic = :topic) AND ({as_number(:cause)} IS NULL OR p.cause = :cause) AS wanted
    FROM refrain_outbox_past p
    WHERE p.cause > 0 AND (p.settled_at, p.id) > ({moment(:since)}, :id)
    ORDER BY p.settled_at, p.id LIMIT :walk
),
shown {materialized} (
    SELECT w.id, w.wanted FROM walked w
    WHERE w.wanted OR w.id = (SELECT x.id FROM walked x ORDER BY x.settled_at DESC, x.id DESC LIMIT 1)
    ORDER BY w.settled_at, w.id LIMIT :one_more
)
SELECT {dead_letter_view}, s.wanted, (SELECT count(*) FROM walked) >= :walk AS cut
FROM shown s CROSS JOIN refrain_outbox_past p
WHERE p.id = s.id
ORDER BY p.settled_at, p.id
