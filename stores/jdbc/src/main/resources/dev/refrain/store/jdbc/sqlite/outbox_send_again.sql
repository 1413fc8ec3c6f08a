-- As if it had just been staged; what is known of earlier attempts goes, because somebody has decided.
INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, payload)
SELECT id, topic, lane, order_key, staged_at, {now}, payload FROM refrain_outbox_past WHERE id = :id AND cause > 0;

{outbox_decided}
