-- The trail has no index by what it is about: it is written seldom and read even less. So no further back than a bound.
SELECT (extract(epoch FROM a.at) * 1000000)::bigint AS at, a.action, a.target, a.who, a.why
FROM (SELECT * FROM refrain_audit ORDER BY id DESC LIMIT :walk) a
WHERE a.target = :target
ORDER BY a.id DESC LIMIT :limit
