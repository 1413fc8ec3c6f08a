-- Makes an expired record anew where it stands, with a new id; what belonged to the old one goes with it.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND {settled} AND r.expires_at <= {now}
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid, nonce uuid, lease bigint, hold bool, retention bigint, recipe text, fingerprint bytes, scope text, namespace text, key text, subject text, has_request bool, has_kept_request bool, operation bigint, caller text, trace_id uuid)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.id = a.nonce, r.owner = a.nonce, r.fence = 1, r.state = 1, r.hold = a.hold, r.lease_until = {now} + a.lease,
    r.expires_at = CASE WHEN a.retention < 0 THEN {for_ever} ELSE {now} + a.retention END, r.claimed_at = {now},
    r.completed_at = NULL, r.recovery_point = NULL, r.format = 1,
    r.parts = CASE WHEN a.has_request THEN 2 WHEN a.has_kept_request THEN 32 ELSE 0 END,
    r.fingerprint = a.fingerprint, r.recipe = a.recipe, r.scope = a.scope, r.namespace = a.namespace, r.key = a.key,
    r.subject = a.subject, r.operation = a.operation, r.caller = a.caller, r.trace_id = a.trace_id, r.call_announced_at = NULL;

DELETE y FROM {rows(id uuid)} STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = a.id;

DELETE t FROM {rows(id uuid)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = a.id;

{given(request)} INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
VALUES (:nonce, 2, :request, :lookup, :namespace, {now} + :lease, 0);

{given(kept_request)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:nonce, 32, :kept_request)
