-- Counts what is not settled, by the index that has the state. The latest leases first: who has one lives.
WITH running AS (
    SELECT r.lease_until, r.claimed_at FROM refrain_record r WHERE r.state = 1 ORDER BY r.lease_until DESC LIMIT :limit
),
listed AS (
    SELECT t.lookup FROM refrain_attention t
    STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = t.lookup
    WHERE r.id = t.record_id AND r.fence = t.fence AND r.state = 4
    LIMIT :limit
),
expired AS (
    SELECT r.expires_at FROM refrain_record r
    WHERE r.expires_at <= {statement_now} AND {settled}
    ORDER BY r.expires_at LIMIT :limit
)
SELECT count(*) AS in_progress, coalesce(sum(w.lease_until <= {now}), 0) AS lease_over,
    (SELECT count(*) FROM listed) AS attention, {now} - min(w.claimed_at) AS oldest,
    (SELECT count(*) FROM expired) AS expired, {now} - (SELECT min(x.expires_at) FROM expired x) AS reap_delay,
    count(*) >= :limit OR (SELECT count(*) FROM listed) >= :limit OR (SELECT count(*) FROM expired) >= :limit AS more
FROM running w
