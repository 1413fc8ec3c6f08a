-- As checkpoint.sql, in the transaction of a phase, at the isolation level of the application; see complete_one.sql.
SELECT r.lookup FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND r.fence = :fence AND r.state = 1
FOR UPDATE;

DELETE y FROM refrain_record r STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = r.id AND y.kind = 4
WHERE r.lookup = :lookup AND r.parts & 4 <> 0;

UPDATE refrain_record
SET recovery_point = :recovery_point, call_announced_at = CASE WHEN :recovery_point LIKE '%!' THEN {now} END,
    lease_until = CASE WHEN :lease IS NULL THEN lease_until ELSE {now} + {as_number(:lease)} END,
    parts = CASE WHEN :has_carried THEN parts | 4 ELSE parts & ~4 END
WHERE lookup = :lookup;

{given(carried)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 4, :carried);

{given(announced)} {clock_raise}
