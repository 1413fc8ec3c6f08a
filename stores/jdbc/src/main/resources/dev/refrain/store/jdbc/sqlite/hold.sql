-- A claim under `hold` whose lease is over: whether it took effect is not known, so a person, a rule or the reconciler
-- has to look.
UPDATE refrain_record
SET state = 4, parts = parts | 8
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1 AND hold AND lease_until <= {now}
RETURNING lookup;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {lease_ended_reason}
FROM refrain_record h WHERE h.lookup = :lookup AND h.id = :id AND h.fence = :fence
