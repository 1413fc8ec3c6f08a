-- As checkpoint.sql, inside the transaction of a phase: on the application's own connection, where a statement over arrays would be
-- planned anew each time.
WITH raised AS (
    UPDATE refrain_meta {clock_raise} AND :recovery_point LIKE '%!'
)
UPDATE refrain_record
SET recovery_point = :recovery_point, carried = :carried,
    call_announced_at = CASE WHEN :recovery_point LIKE '%!' THEN clock_timestamp() END,
    lease_until = CASE WHEN :lease::bigint IS NULL THEN lease_until
        ELSE clock_timestamp() + :lease::bigint * interval '1 microsecond' END
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup
