-- Makes the record if it is absent. Of one that is there no row comes back: it is read by find, and under the write lock
-- nobody comes in between.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, parts, hold, fingerprint, recipe, scope,
    namespace, key, subject, operation, caller, trace_id)
VALUES (
    :lookup, :nonce, :nonce, 1, {now} + :lease / 1000, {expiry}, {now}, 1, 
    CASE WHEN :request IS NOT NULL THEN 2 WHEN :kept_request IS NOT NULL THEN 32 ELSE 0 END, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :operation, :caller,
    :trace_id)
ON CONFLICT (lookup) DO NOTHING
RETURNING lookup, 1 AS fresh;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :nonce, CASE WHEN :request IS NULL THEN 32 ELSE 2 END, coalesce(:request, :kept_request),
    CASE WHEN :request IS NOT NULL THEN :lookup END, CASE WHEN :request IS NOT NULL THEN :namespace END,
    CASE WHEN :request IS NOT NULL THEN {now} + :lease / 1000 END, CASE WHEN :request IS NOT NULL THEN 0 END
WHERE :request IS NOT NULL OR :kept_request IS NOT NULL
