-- In the caller's transaction. That something was committed is seen by those who listen, in the file itself.
INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, payload, scope, subject, reference)
VALUES (:id, :topic, :lane, :order_key, {now}, {now}, :payload, :scope, :subject, :reference)
