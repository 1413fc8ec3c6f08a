DELETE FROM refrain_outbox_past
WHERE id IN (
    SELECT id FROM refrain_outbox_past WHERE cause = 0 AND keep_until <= {now} ORDER BY keep_until LIMIT :limit)
RETURNING 1 AS reaped
