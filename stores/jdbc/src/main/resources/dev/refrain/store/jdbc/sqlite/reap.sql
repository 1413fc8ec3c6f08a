-- Only what is settled and expired. Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_gone (lookup BLOB PRIMARY KEY, id BLOB NOT NULL);

DELETE FROM temp.refrain_gone;

INSERT INTO temp.refrain_gone
-- The states are named for the index, which has no others.
SELECT r.lookup, r.id FROM refrain_record r
WHERE r.state IN (2, 3) AND r.expires_at <= {now} AND {settled}
ORDER BY r.expires_at LIMIT :limit;

DELETE FROM refrain_record WHERE lookup IN (SELECT lookup FROM temp.refrain_gone);

DELETE FROM refrain_payload WHERE record_id IN (SELECT id FROM temp.refrain_gone);

DELETE FROM refrain_attempt WHERE record_id IN (SELECT id FROM temp.refrain_gone);

SELECT count(*) AS reaped FROM temp.refrain_gone
