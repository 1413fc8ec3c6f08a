SELECT p.id, p.topic, p.cause, p.reason, p.attempts, p.payload,
    (extract(epoch FROM p.settled_at) * 1000000)::bigint AS since
FROM refrain_outbox_past p
WHERE p.cause > 0
    AND (p.settled_at, p.id) > (timestamptz '1970-01-01 00:00:00+00' + :since * interval '1 microsecond', :id)
ORDER BY p.settled_at, p.id
LIMIT :limit
