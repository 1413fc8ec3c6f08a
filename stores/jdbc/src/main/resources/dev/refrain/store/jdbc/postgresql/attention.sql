SELECT t.lookup, t.record_id, t.fence, t.reason, r.scope, r.namespace, r.key,
    (extract(epoch FROM t.since) * 1000000)::bigint AS since,
    (extract(epoch FROM clock_timestamp() - t.since) * 1000000)::bigint AS age
FROM refrain_attention t
JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
WHERE ((extract(epoch FROM t.since) * 1000000)::bigint, t.lookup) > (:since, :lookup)
ORDER BY t.since, t.lookup
LIMIT :limit
