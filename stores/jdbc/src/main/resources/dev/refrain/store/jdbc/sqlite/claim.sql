-- Makes the record if it is absent, and reads what is there then. Under the write lock nobody comes in between.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, parts, hold, fingerprint, recipe, scope,
    namespace, key, subject)
VALUES (
    :lookup, :nonce, :nonce, 1, {now} + :lease / 1000, {expiry}, {now}, 1, CASE WHEN :request IS NULL THEN 0 ELSE 2 END,
    :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject)
ON CONFLICT (lookup) DO NOTHING;

SELECT r.lookup, changes() = 1 AS fresh,
    r.scope IS NULL OR (r.scope = :scope AND r.namespace = :namespace AND r.key = :key) AS same,
    {record}
FROM refrain_record r WHERE r.lookup = :lookup;

INSERT INTO refrain_payload (record_id, kind, bytes)
SELECT :nonce, 2, :request WHERE changes() = 1 AND :request IS NOT NULL
