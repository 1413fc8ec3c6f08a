SELECT (extract(epoch FROM at) * 1000000)::bigint AS at, action, target, who, why
FROM refrain_audit ORDER BY id DESC LIMIT :limit
