-- Whether it is worth taking the write lock.
SELECT EXISTS (
    SELECT 1 FROM refrain_outbox o
    WHERE o.topic = :topic AND o.lane IS NULL AND o.due_at <= {now} AND o.lease_until <= {now}
) OR EXISTS (
    SELECT 1 FROM ({outbox_lanes}) l
    WHERE (
        SELECT o.due_at <= {now} AND o.lease_until <= {now}
        FROM refrain_outbox o WHERE o.topic = :topic AND o.lane = l.lane ORDER BY o.seq LIMIT 1)
) AS due
