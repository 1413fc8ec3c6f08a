-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over, if it may still be taken at this moment. An erased
-- record gets its names and its subject anew; any other keeps what it has. One without a request gets that one's.
-- The attempt before is over, by its lease or because it was released; this one is the next.
UPDATE refrain_record AS r
SET fence = fence + 1, owner = :nonce, state = 1, hold = :hold, lease_until = {now} + :lease / 1000,
    fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, key = :key,
    subject = CASE WHEN :erased THEN :subject ELSE subject END,
    operation = CASE WHEN :erased THEN :operation ELSE coalesce(operation, :operation) END,
    caller = CASE WHEN :erased THEN :caller ELSE caller END, trace_id = CASE WHEN :erased THEN :trace_id ELSE trace_id END,
    parts = CASE WHEN :request IS NOT NULL THEN parts | 18 WHEN :kept_request IS NOT NULL THEN parts | 48 ELSE parts | 16 END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = :state
    AND (state = 3 AND {alive} OR state = 1 AND NOT hold AND lease_until <= {now})
    AND (:erased AND fingerprint IS NULL OR recipe = :recipe AND fingerprint = :fingerprint)
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :id, CASE WHEN :request IS NULL THEN 32 ELSE 2 END, coalesce(:request, :kept_request),
    CASE WHEN :request IS NOT NULL THEN :lookup END, CASE WHEN :request IS NOT NULL THEN :namespace END,
    CASE WHEN :request IS NOT NULL THEN {now} + :lease / 1000 END, CASE WHEN :request IS NOT NULL THEN 0 END
WHERE :request IS NOT NULL OR :kept_request IS NOT NULL
ON CONFLICT (record_id, kind) DO NOTHING;

DELETE FROM refrain_attempt WHERE record_id = :id AND fence > 1 AND fence <= :fence + 1 - {attempts_kept};

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence - 1, CASE WHEN r.fence = 2 THEN r.trace_id END, CASE WHEN r.fence = 2 THEN r.claimed_at END,
    CASE WHEN :state = 1 THEN {now} + :lease_left / 1000 END, CASE WHEN :state = 1 THEN 'lease ended' ELSE 'released' END
FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND (:state = 1 OR r.fence = 2
    OR EXISTS (SELECT 1 FROM refrain_attempt t WHERE t.record_id = r.id AND t.fence = r.fence - 1))
ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
WHERE end_reason IS NULL;

INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
SELECT r.id, r.fence, :instance, :trace_id, {now} FROM refrain_record r WHERE r.lookup = :lookup AND r.id = :id
