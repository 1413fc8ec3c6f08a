-- Nothing was there at the beginning: writes the record once, completed. If something is there now, no row comes back.
--
-- Nothing will ever look for this record's lease, so it has none: the sweep never walks over it.
INSERT INTO refrain_record (
    lookup, id, owner, fence, expires_at, claimed_at, completed_at, state, hold, fingerprint, recipe, scope, namespace, key,
    subject, outcome)
VALUES (
    :lookup, :id, :nonce, :fence, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
    clock_timestamp(), clock_timestamp(), 2, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :outcome)
ON CONFLICT (lookup) DO NOTHING
RETURNING lookup
