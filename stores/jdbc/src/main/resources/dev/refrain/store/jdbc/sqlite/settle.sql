-- Nothing was there at the beginning: writes the record once, completed. If something is there now, no row comes back.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold, fingerprint,
    recipe, scope, namespace, key, subject, operation, caller, trace_id)
VALUES (
    :lookup, :id, :nonce, :fence, 0, max({expiry}, {now} + {after_completion} / 1000), {now}, {now}, 2,
    CASE WHEN :outcome IS NULL THEN 0 ELSE 1 END, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject,
    :operation, :caller, :trace_id)
ON CONFLICT (lookup) DO NOTHING
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 1, :outcome WHERE :outcome IS NOT NULL
