-- Something was there at the beginning (seen_*) that may be replaced (it had expired: new id) or continued (it was free to take: same id). If
-- anything else is there now, no row comes back. If it was reaped meanwhile, it is made anew.
{settle_absent};

-- What is made of what was there comes before what takes its place: MySQL assigns from left to right.
UPDATE refrain_record
SET expires_at = CASE WHEN :id = :seen_id
        THEN greatest(expires_at, coalesce(claimed_at + {as_number(:life)}, {for_ever}), {now} + {after_completion})
        ELSE coalesce({now} + {as_number(:life)}, {for_ever}) END,
    claimed_at = CASE WHEN :id = :seen_id THEN claimed_at ELSE {now} END,
    recovery_point = CASE WHEN :id = :seen_id THEN recovery_point END,
    operation = CASE WHEN :id = :seen_id THEN coalesce(operation, :operation) ELSE :operation END,
    caller = CASE WHEN :id = :seen_id AND scope IS NOT NULL THEN caller ELSE :caller END,
    trace_id = CASE WHEN :id = :seen_id AND scope IS NOT NULL THEN trace_id ELSE :trace_id END,
    subject = CASE WHEN :id = :seen_id AND scope IS NOT NULL THEN subject ELSE :subject END,
    parts = CASE WHEN :has_outcome THEN 1 ELSE 0 END | CASE WHEN :id = :seen_id THEN 16 ELSE 0 END,
    completed_at = {now}, call_announced_at = NULL, lease_until = 0, state = 2, hold = :hold, format = 1, id = :id, owner = :nonce,
    fence = :fence, fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, `key` = :key
WHERE lookup = :lookup AND id = :seen_id AND fence = :seen_fence AND state = :seen_state
    AND (state <> 1 OR lease_until <= {now});

SELECT r.lookup FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND r.owner = :nonce AND r.fence = :fence AND r.state = 2;

DELETE FROM refrain_payload WHERE record_id = :seen_id;

DELETE FROM refrain_attempt
WHERE record_id = :seen_id AND (:id <> :seen_id OR fence > 1 AND fence <= :fence - {attempts_kept});

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence - 1, CASE WHEN r.fence = 2 THEN r.trace_id END, CASE WHEN r.fence = 2 THEN r.claimed_at END,
    CASE WHEN :seen_state = 1 THEN {now} + {as_number(:seen_lease)} END, CASE WHEN :seen_state = 1 THEN 'lease ended' ELSE 'released' END
FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :seen_id AND (:seen_state = 1 OR r.fence = 2
    OR EXISTS (SELECT 1 FROM refrain_attempt t WHERE t.record_id = r.id AND t.fence = r.fence - 1))
ON DUPLICATE KEY UPDATE
    ended_at = CASE WHEN refrain_attempt.end_reason IS NULL THEN VALUES(ended_at) ELSE refrain_attempt.ended_at END,
    end_reason = coalesce(refrain_attempt.end_reason, VALUES(end_reason));

INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
SELECT r.id, r.fence, :instance, :trace_id, {now} FROM refrain_record r WHERE r.lookup = :lookup AND r.id = :seen_id;

{given(outcome)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome)
