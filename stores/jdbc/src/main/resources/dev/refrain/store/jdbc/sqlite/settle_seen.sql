-- Something was there at the beginning (seen_*) that may be replaced (it had expired: new id) or continued (it was free
-- to
-- take: same id). If anything else is there now, no row comes back.
INSERT INTO refrain_record AS r (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold, fingerprint,
    recipe, scope, namespace, key, subject, operation, caller, trace_id)
VALUES (
    :lookup, :id, :nonce, :fence, 0, max({expiry}, {now} + {after_completion} / 1000), {now}, {now}, 2,
    CASE WHEN :outcome IS NULL THEN 0 ELSE 1 END, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject,
    :operation, :caller, :trace_id)
ON CONFLICT (lookup) DO UPDATE
SET id = excluded.id, owner = excluded.owner, fence = excluded.fence, lease_until = excluded.lease_until,
    expires_at = CASE WHEN r.id = excluded.id
        THEN max(
            r.expires_at,
            CASE WHEN :retention < 0 THEN {for_ever} ELSE r.claimed_at + :retention / 1000 END,
            {now} + {after_completion} / 1000)
        ELSE excluded.expires_at END,
    claimed_at = CASE WHEN r.id = excluded.id THEN r.claimed_at ELSE excluded.claimed_at END,
    completed_at = excluded.completed_at, state = 2, 
    parts = excluded.parts | CASE WHEN r.id = excluded.id THEN 16 ELSE 0 END, hold = excluded.hold, format = 1,
    recovery_point = CASE WHEN r.id = excluded.id THEN r.recovery_point END, call_announced_at = NULL,
    operation = CASE WHEN r.id = excluded.id THEN coalesce(r.operation, excluded.operation) ELSE excluded.operation END,
    caller = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.caller ELSE excluded.caller END,
    trace_id = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.trace_id ELSE excluded.trace_id END,
    fingerprint = excluded.fingerprint, recipe = excluded.recipe, scope = excluded.scope,
    namespace = excluded.namespace, key = excluded.key,
    subject = CASE WHEN r.id = excluded.id AND r.scope IS NOT NULL THEN r.subject ELSE excluded.subject END
WHERE r.id = :seen_id AND r.fence = :seen_fence AND r.state = :seen_state AND (r.state <> 1 OR r.lease_until <= {now})
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :seen_id;

DELETE FROM refrain_attempt
WHERE record_id = :seen_id AND (:id <> :seen_id OR fence > 1 AND fence <= :fence - {attempts_kept});

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence - 1, CASE WHEN r.fence = 2 THEN r.trace_id END, CASE WHEN r.fence = 2 THEN r.claimed_at END,
    CASE WHEN :seen_state = 1 THEN {now} + :seen_lease / 1000 END, CASE WHEN :seen_state = 1 THEN 'lease ended' ELSE 'released' END
FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :seen_id AND (:seen_state = 1 OR r.fence = 2
    OR EXISTS (SELECT 1 FROM refrain_attempt t WHERE t.record_id = r.id AND t.fence = r.fence - 1))
ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
WHERE end_reason IS NULL;

INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
SELECT r.id, r.fence, :instance, :trace_id, {now} FROM refrain_record r WHERE r.lookup = :lookup AND r.id = :seen_id;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 1, :outcome WHERE :outcome IS NOT NULL
