WITH gone AS (
    DELETE FROM refrain_outbox o
    USING unnest(:seq::bigint[], :fence::bigint[], :keep::bigint[]) AS a (seq, fence, keep)
    WHERE o.seq = a.seq AND o.fence = a.fence
    RETURNING o.seq, o.fence, o.id, o.topic, o.lane, o.order_key, o.staged_at, o.attempts, o.payload,
        o.scope, o.subject, o.reference, a.keep
),
kept AS (
    INSERT INTO refrain_outbox_past (
        id, topic, lane, order_key, staged_at, settled_at, keep_until, cause, attempts, payload,
        scope, subject, reference)
    SELECT g.id, g.topic, g.lane, g.order_key, g.staged_at, clock_timestamp(),
        clock_timestamp() + g.keep * interval '1 microsecond', 0, g.attempts, g.payload,
        g.scope, g.subject, g.reference
    FROM gone g WHERE g.keep > 0
)
SELECT seq, fence FROM gone
