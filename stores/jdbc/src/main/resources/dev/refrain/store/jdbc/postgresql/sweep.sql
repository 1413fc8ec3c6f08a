-- Settles claims whose lease is over and that nobody retries. There is no index on the state (it would cost every
-- completion), so the sweep walks the leases in the order in which they end and remembers how far it came. Every claim
-- and renewal sets a lease in the future, ahead of the mark.
--
-- Once a day, and if the mark is lost, it starts again from the beginning: a clock that was set back, or a claim that
-- committed later than its lease ended, hides a record for a day and not for ever. Many sweeps at once do no harm: what
-- another one holds is skipped, and the mark is moved only from where it was read.
WITH mark AS MATERIALIZED (
    SELECT m.moment AS was, coalesce(m.since > statement_timestamp() - interval '1 day', false) AS fresh,
        CASE WHEN m.since > statement_timestamp() - interval '1 day' THEN m.moment ELSE '-infinity' END AS walk_from,
        statement_timestamp() - :grace * interval '1 microsecond' AS walk_to
    FROM (SELECT) one LEFT JOIN refrain_meta m ON m.name = 'sweep'
),
walked AS MATERIALIZED (
    -- WITH TIES, because the mark is a moment: it must not come to stand between two leases that end at the same one.
    SELECT r.lookup, r.id, r.fence, r.state, r.lease_until
    FROM refrain_record r
    WHERE r.lease_until > (SELECT walk_from FROM mark) AND r.lease_until <= (SELECT walk_to FROM mark)
    ORDER BY r.lease_until
    FETCH FIRST :limit ROWS WITH TIES
),
free AS MATERIALIZED (
    SELECT r.lookup
    FROM walked w JOIN refrain_record r ON r.lookup = w.lookup
    WHERE w.state = 1 AND r.id = w.id AND r.fence = w.fence AND r.lease_until = w.lease_until AND r.state = 1
    ORDER BY r.lookup
    FOR UPDATE OF r SKIP LOCKED
),
settled AS (
    UPDATE refrain_record r
    SET state = CASE WHEN r.hold THEN 4 ELSE 3 END, parts = CASE WHEN r.hold THEN r.parts | 8 ELSE r.parts END
    FROM free f
    WHERE r.lookup = f.lookup AND r.state = 1
    RETURNING r.lookup, r.id, r.fence, r.hold
),
listed AS (
    INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
    SELECT s.lookup, s.id, s.fence, clock_timestamp(), 'Its lease ended and nobody completed it.'
    FROM settled s WHERE s.hold
    ON CONFLICT (lookup) DO UPDATE
    SET record_id = excluded.record_id, fence = excluded.fence, since = excluded.since, reason = excluded.reason
),
seen AS (
    SELECT count(*) >= :limit AS more, max(w.lease_until) AS last,
        min(w.lease_until) FILTER (WHERE w.state = 1 AND s.lookup IS NULL) AS first_skipped
    FROM walked w LEFT JOIN settled s ON s.lookup = w.lookup
),
moved AS (
    -- What was skipped is walked again next time, unless the walk must go on: then it waits for the daily one.
    INSERT INTO refrain_meta AS m (name, moment, since)
    SELECT 'sweep',
        CASE WHEN seen.more THEN seen.last
            ELSE least(seen.first_skipped - interval '1 microsecond', mark.walk_to) END,
        CASE WHEN mark.fresh THEN (SELECT since FROM refrain_meta WHERE name = 'sweep') ELSE statement_timestamp() END
    FROM seen, mark
    WHERE mark.was IS NULL OR NOT mark.fresh OR mark.was < mark.walk_to
    ON CONFLICT (name) DO UPDATE SET moment = excluded.moment, since = excluded.since
    WHERE m.moment IS NOT DISTINCT FROM (SELECT was FROM mark)
)
SELECT (SELECT count(*) FROM settled WHERE NOT hold) AS released, (SELECT count(*) FROM settled WHERE hold) AS held,
    (SELECT more FROM seen) AS more
