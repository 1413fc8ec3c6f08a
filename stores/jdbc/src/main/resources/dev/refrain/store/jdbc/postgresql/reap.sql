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
{gone_with_it}
SELECT count(*) AS reaped FROM gone
