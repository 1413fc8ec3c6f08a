-- As checkpoint.sql, inside the transaction of a phase: on the application's own connection, where a statement over arrays would be
-- planned anew each time.
UPDATE refrain_record
SET recovery_point = :recovery_point, carried = :carried,
    lease_until = CASE WHEN :lease::bigint IS NULL THEN lease_until
        ELSE clock_timestamp() + :lease::bigint * interval '1 microsecond' END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup
