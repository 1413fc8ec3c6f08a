-- As if it had just been staged, but attempts whose end is not known stay so: that its endpoint is mended does not say that it did not
-- arrive. Only who sends again what is unknown has decided that.
INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, open, sent_at, payload, scope, subject,
    reference)
SELECT id, topic, lane, order_key, staged_at, {now}, CASE WHEN cause = 3 THEN 0 ELSE open END, sent_at, payload,
    scope, subject, reference
FROM refrain_outbox_past WHERE id = :id AND cause > 0;

{outbox_discard}
