-- retention: absent to leave it, negative for ever. Whoever holds a row is not waited for: the others go on without it.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state IN (1, 4)
FOR UPDATE NOWAIT;

-- What a claim may have stored beside the record is looked for only where its bit says so.
DELETE y FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
    STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id
WHERE r.parts & 38 <> 0 AND y.kind > 1;

DELETE t FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
    STRAIGHT_JOIN refrain_attention t FORCE INDEX (PRIMARY) ON t.lookup = r.lookup
WHERE r.parts & 8 <> 0;

UPDATE {rows(lookup uuid, has_outcome bool, retention bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.state = 2, r.completed_at = {now}, r.parts = CASE WHEN a.has_outcome THEN r.parts | 1 ELSE r.parts END,
    r.expires_at = greatest(
        CASE WHEN a.retention IS NULL THEN r.expires_at WHEN a.retention < 0 THEN {for_ever} ELSE r.claimed_at + a.retention END,
        {now} + {after_completion});

{given(outcome)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome)
