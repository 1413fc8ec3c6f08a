-- Nothing was there at the beginning and the transaction is ours: record, outcome and COMMIT in one round trip. If
-- something is there now, the first statement fails (23505), the rest is not run, and the transaction is over; that is
-- why there is no ON CONFLICT, which would let the COMMIT go on.
INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold, fingerprint,
    recipe, scope, namespace, key, subject)
VALUES (
    :lookup, :id, :nonce, :fence, '-infinity',
    greatest(
        CASE WHEN :retention < 0 THEN 'infinity' ELSE clock_timestamp() + :retention * interval '1 microsecond' END,
        clock_timestamp() + {after_completion} * interval '1 microsecond'),
    clock_timestamp(), clock_timestamp(), 2, 1, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject);

INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome);

COMMIT
