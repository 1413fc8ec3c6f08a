-- Only what is settled and expired. Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_gone (lookup BLOB PRIMARY KEY, id BLOB NOT NULL);

DELETE FROM temp.refrain_gone;

INSERT INTO temp.refrain_gone
SELECT lookup, id FROM refrain_record
WHERE state IN (2, 3) AND expires_at <= {now}
ORDER BY expires_at LIMIT :limit;

DELETE FROM refrain_record WHERE lookup IN (SELECT lookup FROM temp.refrain_gone);

DELETE FROM refrain_payload WHERE record_id IN (SELECT id FROM temp.refrain_gone);

SELECT count(*) AS reaped FROM temp.refrain_gone
