-- Only a flow comes here. What the last phase carried is replaced by what this one carries, or dropped.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = 1
FOR UPDATE NOWAIT;

DELETE y FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
    STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 4
WHERE r.parts & 4 <> 0;

UPDATE {rows(lookup uuid, recovery_point text, has_carried bool, lease bigint)}
STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.recovery_point = a.recovery_point, r.call_announced_at = CASE WHEN a.recovery_point LIKE '%!' THEN {now} END,
    r.lease_until = CASE WHEN a.lease IS NULL THEN r.lease_until ELSE {now} + a.lease END,
    r.parts = CASE WHEN a.has_carried THEN r.parts | 4 ELSE r.parts & ~4 END;

{given(carried)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 4, :carried)
