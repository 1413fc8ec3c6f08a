-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over, if it may still be taken at this moment. An erased
-- record gets its names and its subject anew; any other keeps what it has. One without a request gets that one's.
UPDATE refrain_record AS r
SET fence = fence + 1, owner = :nonce, state = 1, hold = :hold, lease_until = {now} + :lease / 1000,
    fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, key = :key,
    subject = CASE WHEN :erased THEN :subject ELSE subject END,
    parts = CASE WHEN :request IS NOT NULL THEN parts | 2 ELSE parts END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = :state
    AND (state = 3 AND {alive} OR state = 1 AND NOT hold AND lease_until <= {now})
    AND (:erased AND fingerprint IS NULL OR recipe = :recipe AND fingerprint = :fingerprint)
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :id, 2, :request, :lookup, :namespace, {now} + :lease / 1000, 0 WHERE :request IS NOT NULL
ON CONFLICT (record_id, kind) DO NOTHING
