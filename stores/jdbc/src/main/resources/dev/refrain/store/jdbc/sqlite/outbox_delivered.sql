INSERT INTO refrain_outbox_past (
    id, topic, lane, order_key, staged_at, settled_at, keep_until, cause, attempts, payload, scope, subject, reference)
SELECT id, topic, lane, order_key, staged_at, {now}, {now} + :keep / 1000, 0, attempts, payload, scope,
    subject, reference
FROM refrain_outbox WHERE seq = :seq AND fence = :fence AND :keep > 0;

DELETE FROM refrain_outbox WHERE seq = :seq AND fence = :fence RETURNING seq, fence
