-- Makes an expired record anew where it stands, with a new id; what belonged to the old one goes with it.
UPDATE refrain_record AS r
SET id = :nonce, owner = :nonce, fence = 1, state = 1, hold = :hold, lease_until = {now} + :lease / 1000,
    expires_at = {expiry}, claimed_at = {now}, completed_at = NULL, recovery_point = NULL, format = 1,
    parts = CASE WHEN :request IS NOT NULL THEN 2 WHEN :kept_request IS NOT NULL THEN 32 ELSE 0 END,
    fingerprint = :fingerprint, recipe = :recipe, scope = :scope, namespace = :namespace, key = :key, subject = :subject,
    operation = :operation, caller = :caller, trace_id = :trace_id, call_announced_at = NULL
WHERE lookup = :lookup AND id = :id AND fence = :fence AND {settled} AND expires_at <= {now}
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :id;

DELETE FROM refrain_attempt WHERE record_id = :id;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :nonce, CASE WHEN :request IS NULL THEN 32 ELSE 2 END, coalesce(:request, :kept_request),
    CASE WHEN :request IS NOT NULL THEN :lookup END, CASE WHEN :request IS NOT NULL THEN :namespace END,
    CASE WHEN :request IS NOT NULL THEN {now} + :lease / 1000 END, CASE WHEN :request IS NOT NULL THEN 0 END
WHERE :request IS NOT NULL OR :kept_request IS NOT NULL
