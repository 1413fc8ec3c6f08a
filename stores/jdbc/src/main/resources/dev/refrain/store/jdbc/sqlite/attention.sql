SELECT t.lookup, t.record_id, t.fence, t.reason, r.scope, r.namespace, r.key,
    t.since * 1000 AS since, ({now} - t.since) * 1000 AS age
FROM refrain_attention t
JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
WHERE (t.since * 1000, t.lookup) > (:since, :lookup)
ORDER BY t.since, t.lookup
LIMIT :limit
