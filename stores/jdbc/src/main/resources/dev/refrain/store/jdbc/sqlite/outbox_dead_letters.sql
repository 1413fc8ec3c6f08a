SELECT id, topic, cause, reason, attempts, payload, settled_at * 1000 AS since
FROM refrain_outbox_past
WHERE cause > 0 AND (settled_at, id) > (:since / 1000, :id)
ORDER BY settled_at, id
LIMIT :limit
