p.id, p.topic, p.cause, p.reason, p.attempts, octet_length(p.payload) AS bytes,
(extract(epoch FROM p.staged_at) * 1000000)::bigint AS staged, (extract(epoch FROM p.settled_at) * 1000000)::bigint AS since,
(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS seen
