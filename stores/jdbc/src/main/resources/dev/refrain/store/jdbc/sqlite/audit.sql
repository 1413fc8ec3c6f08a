SELECT at * 1000 AS at, action, target, who, why FROM refrain_audit ORDER BY id DESC LIMIT :limit
