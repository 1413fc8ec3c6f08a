SELECT o.seq, o.fence
FROM {rows(seq bigint, fence bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
WHERE o.fence = a.fence
FOR UPDATE;

INSERT INTO refrain_outbox_past (
    id, topic, lane, order_key, staged_at, settled_at, cause, attempts, open, sent_at, reason, payload, scope, subject, reference)
SELECT o.id, o.topic, o.lane, o.order_key, o.staged_at, {now}, a.cause, o.attempts, a.open, o.sent_at, a.reason, o.payload, o.scope,
    o.subject, o.reference
FROM {rows(seq bigint, cause bigint, open bigint, reason text)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq;

DELETE o FROM {rows(seq bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
