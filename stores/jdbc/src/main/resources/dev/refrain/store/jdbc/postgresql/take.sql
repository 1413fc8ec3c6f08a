-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over: only as it was seen, and only if it may still be
-- taken at this moment. An erased record gets its names and its subject anew; any other keeps what it has. One without
-- a request gets that one's.
WITH taken AS (
    UPDATE refrain_record r
    SET fence = r.fence + 1, owner = a.nonce, state = 1, hold = a.hold,
        lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
        fingerprint = a.fingerprint, recipe = a.recipe, scope = a.scope, namespace = a.namespace, key = a.key,
        subject = CASE WHEN a.erased THEN a.subject ELSE r.subject END,
        parts = CASE WHEN a.request IS NOT NULL THEN r.parts | 2 ELSE r.parts END
    FROM unnest(
        :lookup::uuid[], :id::uuid[], :fence::bigint[], :state::bigint[], :erased::boolean[], :nonce::uuid[],
        :lease::bigint[], :hold::boolean[], :recipe::text[], :fingerprint::bytea[], :scope::text[], :namespace::text[],
        :key::text[], :subject::text[], :request::bytea[]
    ) AS a (
        lookup, id, fence, state, erased, nonce, lease, hold, recipe, fingerprint, scope, namespace, key, subject,
        request)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = a.state
        AND (r.state = 3 AND {alive}
            OR r.state = 1 AND NOT r.hold AND r.lease_until <= clock_timestamp())
        AND (a.erased AND r.fingerprint IS NULL OR r.recipe = a.recipe AND r.fingerprint = a.fingerprint)
    RETURNING r.lookup, r.id, r.namespace, r.lease_until, a.request
),
stored AS (
    INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
    SELECT t.id, 2, t.request, t.lookup, t.namespace, t.lease_until, 0
    FROM taken t WHERE t.request IS NOT NULL
    ON CONFLICT (record_id, kind) DO NOTHING
)
SELECT lookup FROM taken
