UPDATE refrain_record SET lease_until = {now} + :lease / 1000
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup
