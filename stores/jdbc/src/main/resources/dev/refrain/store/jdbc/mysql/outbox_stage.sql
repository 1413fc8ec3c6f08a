-- In the caller's transaction. Nobody is woken: relays look for themselves.
INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, lease_until, payload, scope, subject, reference)
VALUES (:id, :topic, :lane, :order_key, {now}, {now}, 0, :payload, :scope, :subject, :reference)
