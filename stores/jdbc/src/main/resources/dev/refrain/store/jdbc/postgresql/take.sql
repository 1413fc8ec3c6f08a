-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over: only as it was seen, and only if it may still be
-- taken at this moment. An erased record gets its names back; any other already has the same.
UPDATE refrain_record r
SET fence = r.fence + 1, owner = a.nonce, state = 1, hold = a.hold,
    lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
    fingerprint = a.fingerprint, recipe = a.recipe, scope = a.scope, namespace = a.namespace, key = a.key,
    subject = CASE WHEN r.scope IS NULL THEN a.subject ELSE r.subject END
FROM unnest(
    :lookup::uuid[], :id::uuid[], :fence::bigint[], :state::bigint[], :nonce::uuid[], :lease::bigint[], :hold::boolean[],
    :recipe::text[], :fingerprint::bytea[], :scope::text[], :namespace::text[], :key::text[], :subject::text[]
) AS a (lookup, id, fence, state, nonce, lease, hold, recipe, fingerprint, scope, namespace, key, subject)
WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = a.state
    AND (r.state = 3 AND r.expires_at > clock_timestamp()
        OR r.state = 1 AND NOT r.hold AND r.lease_until <= clock_timestamp())
    AND (r.fingerprint IS NULL OR r.recipe = a.recipe AND r.fingerprint = a.fingerprint)
RETURNING r.lookup
