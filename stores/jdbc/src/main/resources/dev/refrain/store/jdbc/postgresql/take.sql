-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over: only as it was seen, and only if it may still be
-- taken at this moment. An erased record gets its names and its subject anew; any other keeps what it has. One without
-- a request gets that one's. The attempt before is over, by its lease or because it was released; this one is the next.
WITH taken AS (
    UPDATE refrain_record r
    SET fence = r.fence + 1, owner = a.nonce, state = 1, hold = a.hold,
        lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
        fingerprint = a.fingerprint, recipe = a.recipe, scope = a.scope, namespace = a.namespace, key = a.key,
        subject = CASE WHEN a.erased THEN a.subject ELSE r.subject END,
        operation = CASE WHEN a.erased THEN a.operation ELSE coalesce(r.operation, a.operation) END,
        caller = CASE WHEN a.erased THEN a.caller ELSE r.caller END,
        trace_id = CASE WHEN a.erased THEN a.trace_id ELSE r.trace_id END,
        parts = CASE WHEN a.request IS NOT NULL THEN r.parts | 18 WHEN a.kept_request IS NOT NULL THEN r.parts | 48
            ELSE r.parts | 16 END
    FROM unnest(
        :lookup::uuid[], :id::uuid[], :fence::bigint[], :state::bigint[], :erased::boolean[], :nonce::uuid[],
        :lease::bigint[], :hold::boolean[], :recipe::text[], :fingerprint::bytea[], :scope::text[], :namespace::text[],
        :key::text[], :subject::text[], :request::bytea[], :operation::bigint[], :caller::text[], :trace_id::uuid[],
        :instance::text[], :lease_left::bigint[], :kept_request::bytea[]
    ) AS a (
        lookup, id, fence, state, erased, nonce, lease, hold, recipe, fingerprint, scope, namespace, key, subject,
        request, operation, caller, trace_id, instance, lease_left, kept_request)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = a.state
        AND (r.state = 3 AND {alive}
            OR r.state = 1 AND NOT r.hold AND r.lease_until <= clock_timestamp())
        AND (a.erased AND r.fingerprint IS NULL OR r.recipe = a.recipe AND r.fingerprint = a.fingerprint)
    RETURNING r.lookup, r.id, r.fence, r.claimed_at, r.trace_id AS first_trace, r.namespace, r.lease_until, a.request,
        a.state AS seen_state, a.lease_left, a.instance, a.trace_id, a.kept_request
),
stored AS (
    INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
    SELECT t.id, CASE WHEN t.request IS NULL THEN 32 ELSE 2 END, coalesce(t.request, t.kept_request),
        CASE WHEN t.request IS NOT NULL THEN t.lookup END, CASE WHEN t.request IS NOT NULL THEN t.namespace END,
        CASE WHEN t.request IS NOT NULL THEN t.lease_until END, CASE WHEN t.request IS NOT NULL THEN 0 END
    FROM taken t WHERE t.request IS NOT NULL OR t.kept_request IS NOT NULL
    ON CONFLICT (record_id, kind) DO NOTHING
),
forgotten AS (
    DELETE FROM refrain_attempt e USING taken t
    WHERE e.record_id = t.id AND e.fence > 1 AND e.fence <= t.fence - {attempts_kept}
),
ended AS (
    INSERT INTO refrain_attempt AS e (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT t.id, t.fence - 1, CASE WHEN t.fence = 2 THEN t.first_trace END, CASE WHEN t.fence = 2 THEN t.claimed_at END,
        CASE WHEN t.seen_state = 1 THEN clock_timestamp() + t.lease_left * interval '1 microsecond' END,
        CASE WHEN t.seen_state = 1 THEN 'lease ended' ELSE 'released' END
    FROM taken t
    WHERE t.seen_state = 1 OR t.fence = 2
        OR EXISTS (SELECT FROM refrain_attempt o WHERE o.record_id = t.id AND o.fence = t.fence - 1)
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
    WHERE e.end_reason IS NULL
),
begun AS (
    INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
    SELECT t.id, t.fence, t.instance, t.trace_id, clock_timestamp() FROM taken t
)
SELECT lookup FROM taken
