-- Counts what is not settled, by the indexes that hold nothing else. The latest leases first: who has one lives.
WITH running AS MATERIALIZED (
    SELECT lease_until, claimed_at FROM refrain_record WHERE state = 1 ORDER BY lease_until DESC LIMIT :limit
),
listed AS MATERIALIZED (
    SELECT 1 FROM refrain_attention t
    JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
    LIMIT :limit
)
SELECT count(*) AS in_progress, count(*) FILTER (WHERE lease_until <= {now}) AS lease_over,
    (SELECT count(*) FROM listed) AS attention, ({now} - min(claimed_at)) * 1000 AS oldest,
    count(*) >= :limit OR (SELECT count(*) FROM listed) >= :limit AS more
FROM running
