-- Takes what was seen RELEASED, or IN_PROGRESS with its lease over: only as it was seen, and only if it may still be taken at this moment. An
-- erased record gets its names and its subject anew; any other keeps what it has. One without a request gets that one's. The attempt before is
-- over, by its lease or because it was released; this one is the next.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint, state bigint, erased bool, recipe text, fingerprint bytes)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = a.state
    AND (r.state = 3 AND {alive} OR r.state = 1 AND NOT r.hold AND r.lease_until <= {now})
    AND (a.erased AND r.fingerprint IS NULL OR r.recipe = a.recipe AND r.fingerprint = a.fingerprint)
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid, fence bigint, erased bool, nonce uuid, lease bigint, hold bool, recipe text, fingerprint bytes, scope text, namespace text, key text, subject text, has_request bool, has_kept_request bool, operation bigint, caller text, trace_id uuid)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.fence = a.fence + 1, r.owner = a.nonce, r.state = 1, r.hold = a.hold, r.lease_until = {now} + a.lease,
    r.fingerprint = a.fingerprint, r.recipe = a.recipe, r.scope = a.scope, r.namespace = a.namespace, r.key = a.key,
    r.subject = CASE WHEN a.erased THEN a.subject ELSE r.subject END,
    r.operation = CASE WHEN a.erased THEN a.operation ELSE coalesce(r.operation, a.operation) END,
    r.caller = CASE WHEN a.erased THEN a.caller ELSE r.caller END,
    r.trace_id = CASE WHEN a.erased THEN a.trace_id ELSE r.trace_id END,
    r.parts = r.parts | CASE WHEN a.has_request THEN 18 WHEN a.has_kept_request THEN 48 ELSE 16 END;

{given(request)} INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
VALUES (:id, 2, :request, :lookup, :namespace, {now} + :lease, 0)
ON DUPLICATE KEY UPDATE record_id = refrain_payload.record_id;

{given(kept_request)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 32, :kept_request)
ON DUPLICATE KEY UPDATE record_id = refrain_payload.record_id;

DELETE t FROM {rows(id uuid, fence bigint)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = a.id
WHERE t.fence > 1 AND t.fence <= a.fence + 1 - {attempts_kept};

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence - 1, CASE WHEN r.fence = 2 THEN r.trace_id END, CASE WHEN r.fence = 2 THEN r.claimed_at END,
    CASE WHEN a.state = 1 THEN {now} + a.lease_left END, CASE WHEN a.state = 1 THEN 'lease ended' ELSE 'released' END
FROM {rows(lookup uuid, state bigint, lease_left bigint)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE a.state = 1 OR r.fence = 2
    OR EXISTS (SELECT 1 FROM refrain_attempt t WHERE t.record_id = r.id AND t.fence = r.fence - 1)
ON DUPLICATE KEY UPDATE
    ended_at = CASE WHEN refrain_attempt.end_reason IS NULL THEN VALUES(ended_at) ELSE refrain_attempt.ended_at END,
    end_reason = coalesce(refrain_attempt.end_reason, VALUES(end_reason));

INSERT INTO refrain_attempt (record_id, fence, instance, trace_id, began_at)
SELECT a.id, a.fence + 1, a.instance, a.trace_id, {now} FROM {rows(id uuid, fence bigint, instance text, trace_id uuid)}
