-- Only a flow comes here. What the last phase carried is replaced by what this one carries, or dropped.
UPDATE refrain_record
SET recovery_point = :recovery_point, lease_until = CASE WHEN :lease IS NULL THEN lease_until ELSE {now} + :lease / 1000 END,
    parts = CASE WHEN :carried IS NULL THEN parts & ~4 ELSE parts | 4 END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :id AND kind = 4;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 4, :carried WHERE :carried IS NOT NULL
