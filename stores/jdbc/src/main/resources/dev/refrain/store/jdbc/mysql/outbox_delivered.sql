SELECT o.seq, o.fence
FROM {rows(seq bigint, fence bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
WHERE o.fence = a.fence
FOR UPDATE;

INSERT INTO refrain_outbox_past (
    id, topic, lane, order_key, staged_at, settled_at, keep_until, cause, attempts, payload, scope, subject, reference)
SELECT o.id, o.topic, o.lane, o.order_key, o.staged_at, {now}, {now} + a.keep, 0, o.attempts, o.payload, o.scope, o.subject, o.reference
FROM {rows(seq bigint, keep bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
WHERE a.keep > 0;

DELETE o FROM {rows(seq bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = a.seq
