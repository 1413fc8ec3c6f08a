-- Under the write lock nobody comes in between.
SELECT 1 AS locked;

UPDATE refrain_outbox
SET fence = fence + 1, attempts = attempts + 1, open = open + 1,
    sent_at = CASE WHEN open = 0 THEN {now} ELSE sent_at END, lease_until = {now} + :lease / 1000
WHERE seq IN (
    -- Cut off by sequence, so that of each lane the front stays.
    SELECT c.seq
    FROM (
        SELECT b.seq, row_number() OVER (ORDER BY b.seq) AS place,
            sum(b.bytes) OVER (ORDER BY b.seq) - b.bytes AS before
        FROM (
            -- From the front of each lane up to the first that is not to be had.
            SELECT o.seq, length(o.payload) AS bytes
            FROM ({outbox_lanes}) l
            JOIN refrain_outbox o ON o.topic = :topic AND o.lane = l.lane
            WHERE o.seq <= coalesce(
                    (SELECT x.seq FROM refrain_outbox x WHERE x.topic = :topic AND x.lane = l.lane
                    ORDER BY x.seq LIMIT 1 OFFSET :in_lane - 1),
                    9223372036854775807)
                AND o.seq < coalesce(
                    (SELECT min(y.seq) FROM (
                        SELECT z.seq, z.due_at, z.lease_until FROM refrain_outbox z
                        WHERE z.topic = :topic AND z.lane = l.lane
                        ORDER BY z.seq LIMIT :in_lane
                    ) y WHERE y.due_at > {now} OR y.lease_until > {now}),
                    9223372036854775807)
            UNION ALL
            SELECT * FROM (
                SELECT o.seq, length(o.payload) AS bytes
                FROM refrain_outbox o
                WHERE o.topic = :topic AND o.lane IS NULL AND o.due_at <= {now} AND o.lease_until <= {now}
                ORDER BY o.due_at
                LIMIT :rows
            )
        ) b
    ) c
    WHERE c.place <= :rows AND c.before < :bytes
)
RETURNING seq, fence, id, topic, lane, order_key, payload, attempts, open, scope, subject, reference,
    ({now} - sent_at + {set_back_since(sent_at)} + {unnoted_set_back}) * 1000 AS open_for,
    ({now} - staged_at) * 1000 AS age;

UPDATE refrain_meta {clock_raise}
