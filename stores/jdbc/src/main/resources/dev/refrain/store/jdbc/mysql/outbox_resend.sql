-- As if it had just been staged, but attempts whose end is not known stay so: that its endpoint is mended does not say that it did not arrive.
-- Only who sends again what is unknown has decided that. Decision and audit are one step.
SELECT x.id
FROM {rows(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = a.id
WHERE x.cause > 0
FOR UPDATE;

INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, open, sent_at, payload, scope, subject, reference)
SELECT x.id, x.topic, x.lane, x.order_key, x.staged_at, {now}, CASE WHEN x.cause = 3 THEN 0 ELSE x.open END, x.sent_at, x.payload,
    x.scope, x.subject, x.reference
FROM {rows(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = a.id
ORDER BY x.staged_at, x.settled_at, x.id;

INSERT INTO refrain_audit (at, action, target, who, why)
SELECT {now}, a.action, a.id_text, a.who, a.why FROM {rows(action text, id_text text, who text, why text)};

DELETE x FROM {rows(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = a.id
