-- Makes the records that are absent, and answers which it made; what is there is read by find. The batch comes sorted by lookup, so that two
-- batches wait for each other's rows in the same order. Not by INSERT IGNORE, which would cut what is too long; and the number of affected rows
-- says nothing, so the nonce is read back. First it asks for the locks without waiting: a key whose record somebody has made and not
-- committed would keep the whole batch waiting for a second at the least.
{pick} SELECT r.lookup FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
FOR UPDATE NOWAIT;

INSERT INTO refrain_record (
    lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, parts, hold, fingerprint, recipe, scope, namespace, `key`,
    subject, operation, caller, trace_id)
SELECT a.lookup, a.nonce, a.nonce, 1, {now} + a.lease, CASE WHEN a.retention < 0 THEN {for_ever} ELSE {now} + a.retention END,
    {now}, 1, CASE WHEN a.has_request THEN 2 WHEN a.has_kept_request THEN 32 ELSE 0 END, a.hold, a.fingerprint, a.recipe, a.scope,
    a.namespace, a.key, a.subject, a.operation, a.caller, a.trace_id
FROM {rows(lookup uuid, nonce uuid, lease bigint, hold bool, retention bigint, recipe text, fingerprint bytes, scope text, namespace text, key text, subject text, has_request bool, has_kept_request bool, operation bigint, caller text, trace_id uuid)}
ON DUPLICATE KEY UPDATE lookup = refrain_record.lookup;

SELECT r.lookup, 1 AS fresh
FROM {rows(lookup uuid, nonce uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.nonce AND r.owner = a.nonce AND r.fence = 1 AND r.state = 1;

{given(request)} INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
VALUES (:nonce, 2, :request, :lookup, :namespace, {now} + :lease, 0)
ON DUPLICATE KEY UPDATE record_id = refrain_payload.record_id;

{given(kept_request)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:nonce, 32, :kept_request)
ON DUPLICATE KEY UPDATE record_id = refrain_payload.record_id
