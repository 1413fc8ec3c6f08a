-- Nothing was there at the beginning: writes the record once, completed. If something is there now, no row comes back.
--
-- Nothing will ever look for this record's lease, so it has none: the sweep never walks over it.
WITH settled AS (
    INSERT INTO refrain_record (
        lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold, fingerprint,
        recipe, scope, namespace, key, subject)
    VALUES (
        :lookup, :id, :nonce, :fence, NULL, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
        clock_timestamp(), clock_timestamp(), 2, CASE WHEN :outcome::bytea IS NULL THEN 0 ELSE 1 END, :hold,
        :fingerprint, :recipe, :scope, :namespace, :key, :subject)
    ON CONFLICT (lookup) DO NOTHING
    RETURNING lookup, id
),
kept AS (
    INSERT INTO refrain_payload (record_id, kind, bytes)
    SELECT s.id, 1, :outcome FROM settled s WHERE :outcome::bytea IS NOT NULL
)
SELECT lookup FROM settled
