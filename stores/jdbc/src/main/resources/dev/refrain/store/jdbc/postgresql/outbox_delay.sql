-- Whoever had it has it no more: its fence goes on. Without a pause it stays due when it was, and the row is rewritten in place.
UPDATE refrain_outbox o
SET fence = o.fence + 1, lease_until = NULL, attempts = o.attempts - a.uncounted, open = o.open - a.closed, reason = a.reason,
    due_at = CASE WHEN a.pause = 0 THEN o.due_at ELSE clock_timestamp() + a.pause * interval '1 microsecond' END
FROM unnest(
    :seq::bigint[], :fence::bigint[], :pause::bigint[], :uncounted::bigint[], :closed::bigint[], :reason::text[]
) AS a (seq, fence, pause, uncounted, closed, reason)
WHERE o.seq = a.seq AND o.fence = a.fence
RETURNING o.seq, a.fence
