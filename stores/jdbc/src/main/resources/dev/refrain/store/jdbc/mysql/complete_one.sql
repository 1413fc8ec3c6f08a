-- As complete.sql, in the transaction of a flow's last phase, at the isolation level of the application: a part that is not there is not looked
-- for, because at REPEATABLE READ that would lock the gap in which everybody's next payload comes.
SELECT r.lookup FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND r.fence = :fence AND r.state IN (1, 4)
FOR UPDATE;

DELETE y FROM refrain_record r STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 2
WHERE r.lookup = :lookup AND r.parts & 2 <> 0;

DELETE y FROM refrain_record r STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 4
WHERE r.lookup = :lookup AND r.parts & 4 <> 0;

DELETE y FROM refrain_record r STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 32
WHERE r.lookup = :lookup AND r.parts & 32 <> 0;

DELETE t FROM refrain_record r STRAIGHT_JOIN refrain_attention t FORCE INDEX (PRIMARY) ON t.lookup = r.lookup
WHERE r.lookup = :lookup AND r.parts & 8 <> 0;

UPDATE refrain_record
SET state = 2, completed_at = {now}, parts = CASE WHEN :has_outcome THEN parts | 1 ELSE parts END,
    expires_at = greatest(
        CASE WHEN :retention IS NULL THEN expires_at WHEN :retention < 0 THEN {for_ever} ELSE claimed_at + {as_number(:retention)} END,
        {now} + {after_completion})
WHERE lookup = :lookup;

{given(outcome)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome)
