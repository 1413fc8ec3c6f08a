-- Whoever had it has it no more: its fence goes on.
UPDATE refrain_outbox
SET fence = fence + 1, lease_until = 0, attempts = attempts - :uncounted, open = open - :closed, reason = :reason,
    due_at = CASE WHEN :pause = 0 THEN due_at ELSE {now} + :pause / 1000 END
WHERE seq = :seq AND fence = :fence
RETURNING seq, fence - 1 AS fence
