INSERT INTO refrain_outbox_past (
    id, topic, lane, order_key, staged_at, settled_at, cause, attempts, open, sent_at, reason, payload, scope,
    subject, reference)
SELECT id, topic, lane, order_key, staged_at, {now}, :cause, attempts, :open, sent_at, :reason, payload, scope,
    subject, reference
FROM refrain_outbox WHERE seq = :seq AND fence = :fence;

DELETE FROM refrain_outbox WHERE seq = :seq AND fence = :fence RETURNING seq, fence
