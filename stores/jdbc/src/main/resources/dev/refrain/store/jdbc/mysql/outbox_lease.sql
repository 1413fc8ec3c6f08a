-- First the lock, which is the topic's row, then, in a statement that sees what was committed before the lock was got, the rows: otherwise the
-- front of a lane could be one that somebody has just taken.
INSERT INTO refrain_outbox_watch (topic, awake_until) VALUES (:topic, 0) ON DUPLICATE KEY UPDATE topic = refrain_outbox_watch.topic;

SELECT 1 AS locked;

{pick} WITH RECURSIVE lanes AS (
    {outbox_lanes}
),
bounds AS (
    SELECT l.lane, coalesce((SELECT o.seq FROM refrain_outbox o WHERE o.topic = :topic AND o.lane = l.lane
        ORDER BY o.seq LIMIT 1 OFFSET :in_lane_before), {for_ever}) AS last
    FROM lanes l WHERE l.lane IS NOT NULL
),
fronts AS (
    -- From the front of each lane up to the first that is not to be had.
    SELECT o.seq, o.fence, o.open, octet_length(o.payload) AS bytes,
        max(o.due_at > {statement_now} OR o.lease_until > {statement_now}) OVER (PARTITION BY o.lane ORDER BY o.seq) AS stopped
    FROM bounds b
    STRAIGHT_JOIN refrain_outbox o FORCE INDEX (refrain_outbox_lane) ON o.topic = :topic AND o.lane = b.lane AND o.seq <= b.last
),
by_itself AS (
    SELECT o.seq, o.fence, o.open, octet_length(o.payload) AS bytes
    FROM refrain_outbox o FORCE INDEX (refrain_outbox_due)
    WHERE o.topic = :topic AND o.lane IS NULL AND o.due_at <= {statement_now} AND o.lease_until <= {statement_now}
    ORDER BY o.due_at LIMIT :rows_at_most
),
numbered AS (
    -- Cut off by sequence, so that of each lane the front stays.
    SELECT c.seq, c.fence, c.open, row_number() OVER (ORDER BY c.seq) AS place,
        sum(c.bytes) OVER (ORDER BY c.seq) - c.bytes AS ahead
    FROM (SELECT f.seq, f.fence, f.open, f.bytes FROM fronts f WHERE f.stopped = 0
        UNION ALL SELECT s.seq, s.fence, s.open, s.bytes FROM by_itself s) c
)
SELECT n.seq, n.fence, n.open FROM numbered n WHERE n.place <= :rows_at_most AND n.ahead < :bytes ORDER BY n.seq;

UPDATE {picked(seq bigint, fence bigint, open bigint)}
STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = p.seq AND o.fence = p.fence
SET o.fence = p.fence + 1, o.attempts = o.attempts + 1, o.open = p.open + 1,
    o.sent_at = CASE WHEN p.open = 0 THEN {now} ELSE o.sent_at END, o.lease_until = {now} + :lease;

SELECT o.seq, o.fence, o.id, o.topic, o.lane, o.order_key, o.payload, o.attempts, o.open, o.scope, o.subject, o.reference,
    {now} - o.sent_at + {set_back_since(o.sent_at)} + {unnoted_set_back} AS open_for, {now} - o.staged_at AS age
FROM {picked(seq bigint, fence bigint)} STRAIGHT_JOIN refrain_outbox o FORCE INDEX (PRIMARY) ON o.seq = p.seq
WHERE o.fence = p.fence + 1
ORDER BY o.seq;

{clock_raise}
