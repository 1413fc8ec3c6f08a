-- Whoever had it has it no more: its fence goes on.
SELECT o.seq, o.fence
FROM {rows(seq bigint, fence bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
WHERE o.fence = a.fence
FOR UPDATE;

UPDATE {rows(seq bigint, fence bigint, pause bigint, uncounted bigint, closed bigint, reason text)}
STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
SET o.fence = a.fence + 1, o.lease_until = 0, o.attempts = o.attempts - a.uncounted, o.open = o.open - a.closed, o.reason = a.reason,
    o.due_at = CASE WHEN a.pause = 0 THEN o.due_at ELSE {now} + a.pause END
