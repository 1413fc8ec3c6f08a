-- The record stays: id, fingerprint, fence, expiry.
UPDATE refrain_record SET state = 3
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup;

UPDATE refrain_payload SET due_at = max(due_at, {now} + :pause / 1000) WHERE :pause > 0 AND record_id = :id AND kind = 2
