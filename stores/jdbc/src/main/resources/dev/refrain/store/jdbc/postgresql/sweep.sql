-- Settles claims whose lease is over and that nobody retries. There is no index on the state (it would cost every
-- completion), so the leases are walked in the order in which they end, by two walks. The first remembers how far it came:
-- every claim and renewal sets a lease in the future, ahead of its mark, so that it looks at each lease once. If its mark is
-- lost or lies in the future (a clock that was ahead for a moment), it starts again from the beginning.
--
-- The second goes over what the first has passed, a page with each sweep and then from the beginning again: what somebody had
-- locked, what was committed later than its lease ended, and what a clock that jumped has put behind the mark is found by it
-- after as many sweeps as there are pages (at the sweeper's defaults a million leases in 20 sweeps, five minutes). Many sweeps at once do no harm: what another one holds is skipped, and a mark is
-- moved only from where it was read.
WITH mark AS MATERIALIZED (
    SELECT m.was, CASE WHEN m.was <= statement_timestamp() THEN m.was ELSE '-infinity' END AS walk_from, m.again_was,
        statement_timestamp() - :grace * interval '1 microsecond' AS walk_to
    FROM (SELECT (SELECT moment FROM refrain_meta WHERE name = 'sweep') AS was,
        (SELECT moment FROM refrain_meta WHERE name = 'sweep.again') AS again_was) m
),
walked AS MATERIALIZED (
    -- WITH TIES, because the mark is a moment: it must not come to stand between two leases that end at the same one.
    SELECT r.lease_until, CASE WHEN r.state = 1 THEN r.lookup END AS due
    FROM refrain_record r
    WHERE r.lease_until > (SELECT walk_from FROM mark) AND r.lease_until <= (SELECT walk_to FROM mark)
    ORDER BY r.lease_until
    FETCH FIRST :limit ROWS WITH TIES
),
seen AS MATERIALIZED (
    SELECT count(*) >= :limit AS more, max(w.lease_until) AS last FROM walked w
),
walked_again AS MATERIALIZED (
    SELECT r.lease_until, CASE WHEN r.state = 1 THEN r.lookup END AS due
    FROM refrain_record r
    WHERE r.lease_until > (SELECT coalesce(again_was, '-infinity') FROM mark)
        AND r.lease_until <= (SELECT least(walk_from, walk_to) FROM mark)
    ORDER BY r.lease_until
    FETCH FIRST (SELECT CASE WHEN more THEN 0 ELSE 50 * :limit END FROM seen) ROWS WITH TIES
),
free AS MATERIALIZED (
    -- By an array, which leaves the planner no choice but the primary key, whatever the table was like when it planned.
    SELECT r.lookup
    FROM refrain_record r
    WHERE r.lookup = ANY (ARRAY(SELECT w.due FROM walked w WHERE w.due IS NOT NULL)
            || ARRAY(SELECT w.due FROM walked_again w WHERE w.due IS NOT NULL ORDER BY w.lease_until LIMIT :limit))
        AND r.state = 1 AND r.lease_until <= (SELECT walk_to FROM mark)
    ORDER BY r.lookup
    FOR UPDATE OF r SKIP LOCKED
),
settled AS (
    UPDATE refrain_record r
    SET state = CASE WHEN r.hold THEN 4 ELSE 3 END, parts = CASE WHEN r.hold THEN r.parts | 8 ELSE r.parts | 16 END
    FROM free f
    WHERE r.lookup = f.lookup AND r.state = 1
    RETURNING r.lookup, r.id, r.fence, r.hold, r.claimed_at, r.trace_id, r.lease_until, r.parts, r.recovery_point, r.operation,
        r.scope, r.namespace, r.key
),
dropped AS (
    DELETE FROM refrain_payload p USING settled s
    WHERE NOT s.hold AND s.parts & 32 <> 0 AND p.record_id = s.id AND p.kind = 32
),
ended AS (
    INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT s.id, s.fence, CASE WHEN s.fence = 1 THEN s.trace_id END, CASE WHEN s.fence = 1 THEN s.claimed_at END, s.lease_until,
        'lease ended'
    FROM settled s WHERE NOT s.hold
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
),
listed AS (
    INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
    SELECT h.lookup, h.id, h.fence, clock_timestamp(), {lease_ended_reason}
    FROM settled h WHERE h.hold
    ON CONFLICT (lookup) DO UPDATE
    SET record_id = excluded.record_id, fence = excluded.fence, since = excluded.since, reason = excluded.reason
),
seen_again AS MATERIALIZED (
    -- A page with more than may be settled at once is walked again, unless all of it is locked.
    SELECT count(w.due) > :limit AND EXISTS (SELECT FROM settled) AS more,
        CASE WHEN count(*) >= 50 * :limit THEN max(w.lease_until) ELSE '-infinity' END AS last
    FROM walked_again w
),
moved AS (
    INSERT INTO refrain_meta AS m (name, moment)
    SELECT 'sweep',
        CASE WHEN seen.more THEN seen.last
            ELSE least(
                (SELECT min(w.lease_until) - interval '1 microsecond' FROM walked w
                WHERE w.due IS NOT NULL AND NOT EXISTS (SELECT FROM settled s WHERE s.lookup = w.due)),
                mark.walk_to) END
    FROM seen, mark
    WHERE mark.was IS NULL OR mark.was > mark.walk_from OR mark.was < mark.walk_to
    ON CONFLICT (name) DO UPDATE SET moment = excluded.moment
    WHERE m.moment IS NOT DISTINCT FROM (SELECT was FROM mark)
),
moved_again AS (
    INSERT INTO refrain_meta AS m (name, moment)
    SELECT 'sweep.again', a.last
    FROM seen, seen_again a
    WHERE NOT seen.more AND NOT a.more
    ON CONFLICT (name) DO UPDATE SET moment = excluded.moment
    WHERE m.moment IS NOT DISTINCT FROM (SELECT again_was FROM mark) AND m.moment <> excluded.moment
)
-- A row for each of the first that are held, or one without any.
SELECT (SELECT count(*) FROM settled WHERE NOT hold) AS released, (SELECT count(*) FROM settled WHERE hold) AS held,
    (SELECT more FROM seen) OR (SELECT more FROM seen_again) AS more,
    h.id, h.scope, h.namespace, h.key, o.name AS operation
FROM (SELECT 1) one
LEFT JOIN (SELECT * FROM settled WHERE hold ORDER BY lookup LIMIT {held_listed}) h ON true
LEFT JOIN refrain_operation o ON o.id = h.operation
