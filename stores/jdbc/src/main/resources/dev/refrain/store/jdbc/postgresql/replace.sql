-- Makes an expired record anew where it stands, with a new id; what belonged to the old one goes with it.
WITH replaced AS (
    UPDATE refrain_record r
    SET id = a.nonce, owner = a.nonce, fence = 1, state = 1, hold = a.hold,
        lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
        expires_at = CASE WHEN a.retention < 0 THEN 'infinity'
            ELSE clock_timestamp() + a.retention * interval '1 microsecond' END,
        claimed_at = clock_timestamp(), completed_at = NULL, outcome = NULL, carried = NULL, recovery_point = NULL, format = 1,
        parts = CASE WHEN a.request IS NULL THEN 0 ELSE 2 END,
        fingerprint = a.fingerprint, recipe = a.recipe, scope = a.scope, namespace = a.namespace, key = a.key,
        subject = a.subject
    FROM unnest(
        :lookup::uuid[], :id::uuid[], :fence::bigint[], :nonce::uuid[], :lease::bigint[], :hold::boolean[],
        :retention::bigint[], :recipe::text[], :fingerprint::bytea[], :scope::text[], :namespace::text[], :key::text[],
        :subject::text[], :request::bytea[]
    ) AS a (
        lookup, id, fence, nonce, lease, hold, retention, recipe, fingerprint, scope, namespace, key, subject, request)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence
        AND {settled} AND r.expires_at <= clock_timestamp()
    RETURNING r.lookup, r.id, r.namespace, r.lease_until, a.id AS old_id, a.request
),
gone AS (
    DELETE FROM refrain_payload p USING replaced x WHERE p.record_id = x.old_id
),
stored AS (
    INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
    SELECT x.id, 2, x.request, x.lookup, x.namespace, x.lease_until, 0 FROM replaced x WHERE x.request IS NOT NULL
)
SELECT lookup FROM replaced
