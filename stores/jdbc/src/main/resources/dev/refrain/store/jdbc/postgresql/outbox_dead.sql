WITH gone AS (
    DELETE FROM refrain_outbox o
    USING unnest(:seq::bigint[], :fence::bigint[], :cause::bigint[], :open::bigint[], :reason::text[])
        AS a (seq, fence, cause, open, reason)
    WHERE o.seq = a.seq AND o.fence = a.fence
    RETURNING o.seq, o.fence, o.id, o.topic, o.lane, o.order_key, o.staged_at, o.sent_at, o.attempts, o.payload,
        o.scope, o.subject, o.reference,
        a.cause, a.open AS left_open, a.reason AS said
),
listed AS (
    INSERT INTO refrain_outbox_past (
        id, topic, lane, order_key, staged_at, settled_at, cause, attempts, open, sent_at, reason, payload,
        scope, subject, reference)
    SELECT g.id, g.topic, g.lane, g.order_key, g.staged_at, clock_timestamp(), g.cause, g.attempts, g.left_open, g.sent_at,
        g.said, g.payload, g.scope, g.subject, g.reference
    FROM gone g
)
SELECT seq, fence FROM gone
