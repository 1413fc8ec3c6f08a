-- The record stays: id, fingerprint, fence, expiry.
UPDATE refrain_record SET state = 3
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup
