-- Something was there at the beginning (seen_*) that may be replaced (it had expired: new id) or continued (it was free to
-- take: same id). If anything else is there now, no row comes back. If it was reaped meanwhile, it is made anew.
WITH settled AS (
    INSERT INTO refrain_record AS r (
        lookup, id, owner, fence, expires_at, claimed_at, completed_at, state, hold, fingerprint, recipe, scope, namespace,
        key, subject, outcome)
    VALUES (
        :lookup, :id, :nonce, :fence, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
        clock_timestamp(), clock_timestamp(), 2, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :outcome)
    ON CONFLICT (lookup) DO UPDATE
    SET id = excluded.id, owner = excluded.owner, fence = excluded.fence, lease_until = NULL,
        expires_at = CASE WHEN r.id = excluded.id
            THEN greatest(r.expires_at, coalesce(r.claimed_at + :life * interval '1 microsecond', 'infinity'),
                clock_timestamp() + {after_completion} * interval '1 microsecond')
            ELSE excluded.expires_at END,
        claimed_at = CASE WHEN r.id = excluded.id THEN r.claimed_at ELSE excluded.claimed_at END,
        completed_at = excluded.completed_at, state = 2, parts = 0, carried = NULL, hold = excluded.hold, format = 1,
        recovery_point = CASE WHEN r.id = excluded.id THEN r.recovery_point END,
        fingerprint = excluded.fingerprint, recipe = excluded.recipe, scope = excluded.scope,
        namespace = excluded.namespace, key = excluded.key, outcome = excluded.outcome,
        subject = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.subject ELSE excluded.subject END
    WHERE r.id = :seen_id AND r.fence = :seen_fence AND r.state = :seen_state
        AND (r.state <> 1 OR r.lease_until <= clock_timestamp())
    RETURNING r.lookup
),
dropped AS (
    DELETE FROM refrain_payload p USING settled s WHERE p.record_id = :seen_id
)
SELECT lookup FROM settled
