-- Makes an expired record anew where it stands, with a new id; what belonged to the old one goes with it.
WITH replaced AS (
    UPDATE refrain_record r
    SET id = a.nonce, owner = a.nonce, fence = 1, state = 1, hold = a.hold,
        lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
        expires_at = CASE WHEN a.retention < 0 THEN 'infinity'
            ELSE clock_timestamp() + a.retention * interval '1 microsecond' END,
        claimed_at = clock_timestamp(), completed_at = NULL, outcome = NULL, carried = NULL, recovery_point = NULL, format = 1,
        parts = CASE WHEN a.request IS NOT NULL THEN 2 WHEN a.kept_request IS NOT NULL THEN 32 ELSE 0 END,
        fingerprint = a.fingerprint, recipe = a.recipe, scope = a.scope, namespace = a.namespace, key = a.key,
        subject = a.subject, operation = a.operation, caller = a.caller, trace_id = a.trace_id, call_announced_at = NULL
    FROM unnest(
        :lookup::uuid[], :id::uuid[], :fence::bigint[], :nonce::uuid[], :lease::bigint[], :hold::boolean[],
        :retention::bigint[], :recipe::text[], :fingerprint::bytea[], :scope::text[], :namespace::text[], :key::text[],
        :subject::text[], :request::bytea[], :operation::bigint[], :caller::text[], :trace_id::uuid[],
        :kept_request::bytea[]
    ) AS a (
        lookup, id, fence, nonce, lease, hold, retention, recipe, fingerprint, scope, namespace, key, subject, request,
        operation, caller, trace_id, kept_request)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence
        AND {settled} AND r.expires_at <= clock_timestamp()
    RETURNING r.lookup, r.id, r.namespace, r.lease_until, a.id AS old_id, a.request, a.kept_request
),
gone AS (
    DELETE FROM refrain_payload p USING replaced x WHERE p.record_id = x.old_id
),
forgotten AS (
    DELETE FROM refrain_attempt t USING replaced x WHERE t.record_id = x.old_id
),
stored AS (
    INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
    SELECT x.id, CASE WHEN x.request IS NULL THEN 32 ELSE 2 END, coalesce(x.request, x.kept_request),
        CASE WHEN x.request IS NOT NULL THEN x.lookup END, CASE WHEN x.request IS NOT NULL THEN x.namespace END,
        CASE WHEN x.request IS NOT NULL THEN x.lease_until END, CASE WHEN x.request IS NOT NULL THEN 0 END
    FROM replaced x WHERE x.request IS NOT NULL OR x.kept_request IS NOT NULL
)
SELECT lookup FROM replaced
