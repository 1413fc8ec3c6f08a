-- As reap.sql, of one record that was seen expired. A row that somebody holds is not waited for.
WITH gone AS (
    DELETE FROM refrain_record r
    WHERE r.ctid = ANY (ARRAY(
            SELECT r.ctid FROM refrain_record r WHERE r.lookup = :lookup AND r.id = :id {skip_locked}))
        AND r.expires_at <= clock_timestamp() AND {settled}
    RETURNING r.lookup, r.id, r.parts
),
{gone_with_it}
SELECT count(*) AS reaped FROM gone
