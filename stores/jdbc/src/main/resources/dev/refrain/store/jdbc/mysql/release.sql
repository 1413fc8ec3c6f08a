-- The record stays: id, fingerprint, fence, expiry. Why and when is said by the attempt.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = 1
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid, pause bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
    STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 2
SET y.due_at = greatest(y.due_at, {now} + a.pause)
WHERE r.parts & 2 <> 0 AND a.pause > 0;

DELETE y FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
    STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 32
WHERE r.parts & 32 <> 0;

UPDATE {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.state = 3, r.parts = r.parts | 16;

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence, CASE WHEN r.fence = 1 THEN r.trace_id END, CASE WHEN r.fence = 1 THEN r.claimed_at END, {now}, a.reason
FROM {rows(lookup uuid, reason text)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
{ended_anew}
