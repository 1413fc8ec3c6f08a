-- Only a flow comes here. What the last phase carried is replaced by what this one carries, or dropped.
UPDATE refrain_record
SET recovery_point = :recovery_point, call_announced_at = CASE WHEN :recovery_point LIKE '%!' THEN {now} END,
    lease_until = CASE WHEN :lease IS NULL THEN lease_until ELSE {now} + :lease / 1000 END,
    parts = CASE WHEN :carried IS NULL THEN parts & ~4 ELSE parts | 4 END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :id AND kind = 4;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 4, :carried WHERE :carried IS NOT NULL;

UPDATE refrain_meta {clock_raise} AND :recovery_point LIKE '%!'
