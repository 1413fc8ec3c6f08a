-- Counts what is not settled. There is no index on the state (it would cost every completion), but what is in progress
-- has a lease that ends later than the sweep has come: the leases are walked backwards from the last, so that those who
-- live come first, and no further than that or than the limit. Among them are records that were completed since.
WITH walked AS MATERIALIZED (
    SELECT r.state, r.lease_until, r.claimed_at
    FROM refrain_record r
    WHERE r.lease_until > coalesce(
        -- A mark in the future was set by a clock that was ahead, and says nothing.
        (SELECT m.moment FROM refrain_meta m WHERE m.name = 'sweep' AND m.moment <= statement_timestamp()), '-infinity')
    ORDER BY r.lease_until DESC
    LIMIT :limit
),
listed AS MATERIALIZED (
    SELECT FROM refrain_attention t
    JOIN refrain_record r ON r.lookup = t.lookup AND r.id = t.record_id AND r.fence = t.fence AND r.state = 4
    LIMIT :limit
),
expired AS MATERIALIZED (
    SELECT r.expires_at FROM refrain_record r
    WHERE r.expires_at <= statement_timestamp() AND {settled}
    ORDER BY r.expires_at
    LIMIT :limit
)
SELECT count(*) FILTER (WHERE w.state = 1) AS in_progress,
    count(*) FILTER (WHERE w.state = 1 AND w.lease_until <= clock_timestamp()) AS lease_over,
    (SELECT count(*) FROM listed) AS attention,
    (extract(epoch FROM clock_timestamp() - min(w.claimed_at) FILTER (WHERE w.state = 1)) * 1000000)::bigint AS oldest,
    (SELECT count(*) FROM expired) AS expired,
    (SELECT (extract(epoch FROM clock_timestamp() - min(x.expires_at)) * 1000000)::bigint FROM expired x) AS reap_delay,
    count(*) >= :limit OR (SELECT count(*) FROM listed) >= :limit OR (SELECT count(*) FROM expired) >= :limit AS more
FROM walked w
