-- Nothing was there at the beginning and the transaction is ours: record, outcome and COMMIT in one round trip. If
-- something is there now, the first statement fails (23505), the COMMIT is not run, and the transaction is over; that
-- is why there is no ON CONFLICT, which would let the COMMIT go on.
INSERT INTO refrain_record (
    lookup, id, owner, fence, expires_at, claimed_at, completed_at, state, hold, fingerprint, recipe, scope, namespace, key,
    subject, outcome)
VALUES (
    :lookup, :id, :nonce, 1, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
    clock_timestamp(), clock_timestamp(), 2, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :outcome);

COMMIT
