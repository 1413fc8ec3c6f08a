-- Counts what is not settled, by the indexes that hold nothing else. The latest leases first: who has one lives.
WITH running AS MATERIALIZED (
    SELECT lease_until, claimed_at FROM refrain_record WHERE state = 1 ORDER BY lease_until DESC LIMIT :limit
),
listed AS MATERIALIZED (
    SELECT 1 FROM refrain_attention t
    JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
    LIMIT :limit
),
expired AS MATERIALIZED (
    SELECT r.expires_at FROM refrain_record r
    WHERE r.state IN (2, 3) AND r.expires_at <= {now} AND {settled}
    ORDER BY r.expires_at LIMIT :limit
)
SELECT count(*) AS in_progress, count(*) FILTER (WHERE lease_until <= {now}) AS lease_over,
    (SELECT count(*) FROM listed) AS attention, ({now} - min(claimed_at)) * 1000 AS oldest,
    (SELECT count(*) FROM expired) AS expired, ({now} - (SELECT min(expires_at) FROM expired)) * 1000 AS reap_delay,
    count(*) >= :limit OR (SELECT count(*) FROM listed) >= :limit OR (SELECT count(*) FROM expired) >= :limit AS more
FROM running
