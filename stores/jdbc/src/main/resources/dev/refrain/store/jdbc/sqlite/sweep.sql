-- Settles claims whose lease is over and that nobody retries. Under the write lock nobody comes in between.
CREATE TEMP TABLE IF NOT EXISTS refrain_due (lookup BLOB PRIMARY KEY, hold INTEGER NOT NULL);

DELETE FROM temp.refrain_due;

INSERT INTO temp.refrain_due
SELECT lookup, hold FROM refrain_record
WHERE state = 1 AND lease_until <= {now} - :grace / 1000
ORDER BY lease_until LIMIT :limit;

UPDATE refrain_record
SET state = CASE WHEN hold THEN 4 ELSE 3 END, parts = CASE WHEN hold THEN parts | 8 ELSE parts END
WHERE lookup IN (SELECT lookup FROM temp.refrain_due);

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT lookup, id, fence, {now}, 'Its lease ended and nobody completed it.'
FROM refrain_record WHERE lookup IN (SELECT lookup FROM temp.refrain_due WHERE hold);

SELECT count(*) FILTER (WHERE NOT hold) AS released, count(*) FILTER (WHERE hold) AS held, count(*) >= :limit AS more
FROM temp.refrain_due
