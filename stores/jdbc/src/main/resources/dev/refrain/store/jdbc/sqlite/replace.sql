-- Makes an expired record anew where it stands, with a new id; what belonged to the old one goes with it.
UPDATE refrain_record AS r
SET id = :nonce, owner = :nonce, fence = 1, state = 1, hold = :hold, lease_until = {now} + :lease / 1000,
    expires_at = {expiry}, claimed_at = {now}, completed_at = NULL, recovery_point = NULL, format = 1,
    parts = CASE WHEN :request IS NULL THEN 0 ELSE 2 END,
    fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, key = :key, subject = :subject
WHERE lookup = :lookup AND id = :id AND fence = :fence AND {settled} AND expires_at <= {now}
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :id;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :nonce, 2, :request, :lookup, :namespace, {now} + :lease / 1000, 0 WHERE :request IS NOT NULL
