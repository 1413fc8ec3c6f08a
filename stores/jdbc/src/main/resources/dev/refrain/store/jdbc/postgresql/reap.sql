-- Only what is settled and expired. Of what would have expired, but is half done, there is little to walk over. The conditions are repeated on the row itself: one that was claimed anew since it
-- was read is another record and stays. One reaper at a time; a second finds nothing to do and comes back later.
WITH gone AS (
    DELETE FROM refrain_record r
    WHERE r.ctid = ANY (ARRAY(
            SELECT r.ctid FROM refrain_record r
            WHERE (SELECT pg_try_advisory_xact_lock({reaper_lock}))
                AND r.expires_at <= statement_timestamp() AND {settled}
            ORDER BY r.expires_at
            LIMIT :limit))
        AND r.expires_at <= statement_timestamp() AND {settled}
    RETURNING r.lookup, r.id, r.parts
),
-- By arrays, which leave the planner no choice but the index: joined, a plan that was made while nothing had expired, and is kept, walks a whole
-- table for each record.
emptied AS (
    DELETE FROM refrain_payload p WHERE p.record_id = ANY (ARRAY(SELECT g.id FROM gone g WHERE g.parts <> 0))
),
forgotten AS (
    -- Whatever parts says: code of schema 5 and 6 does not know that bit and drops it.
    DELETE FROM refrain_attempt t WHERE t.record_id = ANY (ARRAY(SELECT g.id FROM gone g))
),
unlisted AS (
    -- What a late runner left behind when it met the sweeper.
    DELETE FROM refrain_attention t
    WHERE t.lookup = ANY (ARRAY(SELECT g.lookup FROM gone g WHERE g.parts & 8 <> 0))
        AND t.record_id = ANY (ARRAY(SELECT g.id FROM gone g WHERE g.parts & 8 <> 0))
)
SELECT count(*) AS reaped FROM gone
