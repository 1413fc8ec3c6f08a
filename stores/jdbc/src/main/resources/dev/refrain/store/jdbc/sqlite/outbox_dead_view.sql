p.id, p.topic, p.cause, p.reason, p.attempts, length(p.payload) AS bytes,
p.staged_at * 1000 AS staged, p.settled_at * 1000 AS since, {now} * 1000 AS seen
