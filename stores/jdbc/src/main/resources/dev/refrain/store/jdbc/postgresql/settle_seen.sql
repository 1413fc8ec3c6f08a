-- Something was there at the beginning (seen_*) that may be replaced (it had expired: new id) or continued (it was free to
-- take: same id). If anything else is there now, no row comes back. If it was reaped meanwhile, it is made anew.
-- What can have nothing beside it is not looked for: at SERIALIZABLE looking locks a page of the index against the inserts of others.
WITH done AS (
    INSERT INTO refrain_record AS r (
        lookup, id, owner, fence, expires_at, claimed_at, completed_at, state, hold, fingerprint, recipe, scope, namespace,
        key, subject, outcome, operation, caller, trace_id)
    VALUES (
        :lookup, :id, :nonce, :fence, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
        clock_timestamp(), clock_timestamp(), 2, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :outcome,
        :operation, :caller, :trace_id)
    ON CONFLICT (lookup) DO UPDATE
    SET id = excluded.id, owner = excluded.owner, fence = excluded.fence, lease_until = NULL,
        expires_at = CASE WHEN r.id = excluded.id
            THEN greatest(r.expires_at, coalesce(r.claimed_at + :life * interval '1 microsecond', 'infinity'),
                clock_timestamp() + {after_completion} * interval '1 microsecond')
            ELSE excluded.expires_at END,
        claimed_at = CASE WHEN r.id = excluded.id THEN r.claimed_at ELSE excluded.claimed_at END,
        completed_at = excluded.completed_at, state = 2,
        parts = CASE WHEN r.id = excluded.id THEN r.parts & 34 | 16 ELSE 0 END, carried = NULL, hold = excluded.hold, format = 1,
        recovery_point = CASE WHEN r.id = excluded.id THEN r.recovery_point END, call_announced_at = NULL,
        operation = CASE WHEN r.id = excluded.id THEN coalesce(r.operation, excluded.operation) ELSE excluded.operation END,
        caller = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.caller ELSE excluded.caller END,
        trace_id = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.trace_id ELSE excluded.trace_id END,
        fingerprint = excluded.fingerprint, recipe = excluded.recipe, scope = excluded.scope,
        namespace = excluded.namespace, key = excluded.key, outcome = excluded.outcome,
        subject = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.subject ELSE excluded.subject END
    WHERE r.id = :seen_id AND r.fence = :seen_fence AND r.state = :seen_state
        AND (r.state <> 1 OR r.lease_until <= clock_timestamp())
    RETURNING r.lookup, r.id, r.fence, r.parts, r.claimed_at, r.trace_id
),
dropped AS (
    DELETE FROM refrain_payload p
    WHERE p.record_id = :seen_id AND EXISTS (SELECT FROM done s WHERE s.id <> :seen_id OR s.parts & 34 <> 0)
),
forgotten AS (
    DELETE FROM refrain_attempt t
    WHERE t.record_id = :seen_id AND EXISTS (SELECT FROM done s WHERE s.id <> :seen_id OR s.fence > {attempts_kept} + 1)
        AND (t.fence > 1 AND t.fence <= :fence - {attempts_kept} OR :id <> :seen_id)
),
ended AS (
    INSERT INTO refrain_attempt AS t (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT s.id, s.fence - 1, CASE WHEN s.fence = 2 THEN s.trace_id END, CASE WHEN s.fence = 2 THEN s.claimed_at END,
        CASE WHEN :seen_state = 1 THEN clock_timestamp() + :seen_lease::bigint * interval '1 microsecond' END,
        CASE WHEN :seen_state = 1 THEN 'lease ended' ELSE 'released' END
    FROM done s
    WHERE s.id = :seen_id AND (:seen_state = 1 OR s.fence = 2
        OR EXISTS (SELECT FROM refrain_attempt e WHERE e.record_id = s.id AND e.fence = s.fence - 1))
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
    WHERE t.end_reason IS NULL
),
begun AS (
    INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
    SELECT s.id, s.fence, :instance::text, :trace_id::uuid, transaction_timestamp() FROM done s WHERE s.id = :seen_id
)
SELECT lookup, CASE WHEN {frozen} THEN {note_written} END FROM done
