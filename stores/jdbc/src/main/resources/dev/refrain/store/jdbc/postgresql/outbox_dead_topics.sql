-- There is no index by topic: dead letters are to be few. So no more of them than a bound.
SELECT d.topic, count(*) AS dead
FROM (SELECT p.topic FROM refrain_outbox_past p WHERE p.cause > 0 ORDER BY p.settled_at, p.id LIMIT :limit) d
GROUP BY d.topic
