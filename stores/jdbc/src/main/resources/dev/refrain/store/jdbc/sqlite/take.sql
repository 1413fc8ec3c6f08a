-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over, if it may still be taken at this moment. An erased
-- record gets its names back; any other already has the same.
UPDATE refrain_record
SET fence = fence + 1, owner = :nonce, state = 1, hold = :hold, lease_until = {now} + :lease / 1000,
    fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, key = :key,
    subject = CASE WHEN scope IS NULL THEN :subject ELSE subject END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = :state
    AND (state = 3 AND expires_at > {now} OR state = 1 AND NOT hold AND lease_until <= {now})
    AND (fingerprint IS NULL OR recipe = :recipe AND fingerprint = :fingerprint)
RETURNING lookup
