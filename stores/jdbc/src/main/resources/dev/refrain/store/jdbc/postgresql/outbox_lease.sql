-- First the lock, then, in a statement that sees what was committed before the lock was got, the rows: otherwise the front of a
-- lane could be one that somebody has just taken. The lock is an advisory one because looking in vain then writes nothing.
-- Without statistics the planner would gather all of a lane by a bitmap, and sort it, to find its front.
SELECT pg_advisory_xact_lock({outbox_lock} + (hashtext(:topic)::bigint & 2147483647)) IS NULL AS locked,
    set_config('enable_bitmapscan', 'off', true),
    set_config('synchronous_commit', CASE WHEN :forgotten = 1 THEN 'off' ELSE current_setting('synchronous_commit') END, true);

WITH RECURSIVE lanes AS (
    {outbox_lanes}
),
in_lanes AS MATERIALIZED (
    -- From the front of each lane up to the first that is not to be had.
    SELECT f.seq, f.bytes
    FROM lanes l
    CROSS JOIN LATERAL (
        SELECT o.seq, octet_length(o.payload) AS bytes,
            bool_and(o.due_at <= statement_timestamp()
                AND (o.lease_until IS NULL OR o.lease_until <= statement_timestamp())) OVER (ORDER BY o.seq) AS free
        FROM (
            SELECT x.seq, x.due_at, x.lease_until, x.payload
            FROM refrain_outbox x
            WHERE x.topic = :topic AND x.lane = l.lane
            ORDER BY x.seq
            LIMIT :in_lane
        ) o
    ) f
    WHERE l.lane IS NOT NULL AND f.free
),
by_itself AS MATERIALIZED (
    SELECT o.seq, octet_length(o.payload) AS bytes
    FROM refrain_outbox o
    WHERE o.topic = :topic AND o.lane IS NULL AND o.due_at <= statement_timestamp()
        AND (o.lease_until IS NULL OR o.lease_until <= statement_timestamp())
    ORDER BY o.due_at
    LIMIT :rows
    FOR UPDATE SKIP LOCKED
),
picked AS MATERIALIZED (
    -- Cut off by sequence, so that of each lane the front stays.
    SELECT c.seq
    FROM (
        SELECT b.seq, row_number() OVER (ORDER BY b.seq) AS place,
            sum(b.bytes) OVER (ORDER BY b.seq) - b.bytes AS before
        FROM (SELECT seq, bytes FROM in_lanes UNION ALL SELECT seq, bytes FROM by_itself) b
    ) c
    WHERE c.place <= :rows AND c.before < :bytes
),
taken AS (
    UPDATE refrain_outbox o
    SET fence = o.fence + 1, attempts = o.attempts + 1, open = o.open + 1,
        sent_at = CASE WHEN o.open = 0 THEN clock_timestamp() ELSE o.sent_at END,
        lease_until = clock_timestamp() + :lease * interval '1 microsecond'
    FROM picked p
    WHERE o.seq = p.seq
    RETURNING o.seq, o.fence, o.id, o.topic, o.lane, o.order_key, o.payload, o.attempts, o.open,
        o.scope, o.subject, o.reference,
        (extract(epoch FROM clock_timestamp() - o.sent_at + {set_back_since(o.sent_at)} + {unnoted_set_back}) * 1000000)::bigint AS open_for,
        (extract(epoch FROM clock_timestamp() - o.staged_at) * 1000000)::bigint AS age
),
raised AS (
    UPDATE refrain_meta {clock_raise} AND EXISTS (SELECT FROM taken)
),
watched AS (
    INSERT INTO refrain_outbox_watch AS w (topic, awake_until)
    SELECT :topic, clock_timestamp() + {outbox_awake} * interval '1 microsecond'
    WHERE EXISTS (SELECT FROM taken)
    ON CONFLICT (topic) DO UPDATE SET awake_until = excluded.awake_until
    WHERE w.awake_until NOT BETWEEN clock_timestamp() + {outbox_awake} / 2 * interval '1 microsecond'
        AND clock_timestamp() + {outbox_awake} * interval '1 microsecond'
)
SELECT * FROM taken ORDER BY seq
