-- Makes the record if it is absent. Of one that is there no row comes back: it is read by find, and under the write lock
-- nobody comes in between.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, parts, hold, fingerprint, recipe, scope,
    namespace, key, subject)
VALUES (
    :lookup, :nonce, :nonce, 1, {now} + :lease / 1000, {expiry}, {now}, 1, CASE WHEN :request IS NULL THEN 0 ELSE 2 END,
    :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject)
ON CONFLICT (lookup) DO NOTHING
RETURNING lookup, 1 AS fresh;

INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
SELECT :nonce, 2, :request, :lookup, :namespace, {now} + :lease / 1000, 0 WHERE :request IS NOT NULL
