-- The record stays: id, fingerprint, fence, expiry. Why and when is said by the attempt.
UPDATE refrain_record SET state = 3, parts = parts | 16
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup;

UPDATE refrain_payload SET due_at = max(due_at, {now} + :pause / 1000) WHERE :pause > 0 AND record_id = :id AND kind = 2;

DELETE FROM refrain_payload WHERE record_id = :id AND kind = 32;

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, :fence, CASE WHEN :fence = 1 THEN r.trace_id END, CASE WHEN :fence = 1 THEN r.claimed_at END, {now}, :reason
FROM refrain_record r WHERE r.lookup = :lookup
ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
