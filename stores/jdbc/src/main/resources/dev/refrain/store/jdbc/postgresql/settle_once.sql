-- Nothing was there at the beginning: the record is written once, completed. Nothing will ever look for its lease, so it has
-- none, and the sweep never walks over it. If something is there now, this fails (23505), and with it whatever was to follow in
-- the same round trip; that is why there is no ON CONFLICT, which would let a COMMIT go on.
INSERT INTO refrain_record (
    lookup, id, owner, fence, expires_at, claimed_at, completed_at, state, hold, fingerprint, recipe, scope, namespace, key,
    subject, outcome, operation, caller, trace_id)
VALUES (
    :lookup, :id, :nonce, 1, coalesce(clock_timestamp() + :life * interval '1 microsecond', 'infinity'),
    clock_timestamp(), clock_timestamp(), 2, :hold, :fingerprint, :recipe, :scope, :namespace, :key, :subject, :outcome,
    :operation, :caller, :trace_id)
