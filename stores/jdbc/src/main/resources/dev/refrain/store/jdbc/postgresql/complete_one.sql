-- As complete.sql, inside the transaction of a flow's last phase. The outcome goes into the record, which is written anyway. If the claim is
-- lost, the whole phase is rolled back, and what is deleted here with it: three plain statements are planned in a fraction of the time that
-- one takes which is made of them.
UPDATE refrain_record
SET state = 2, completed_at = clock_timestamp(), outcome = :outcome, carried = NULL,
    expires_at = greatest(
        CASE WHEN :retention::bigint IS NULL THEN expires_at
            WHEN :retention::bigint < 0 THEN 'infinity'
            ELSE claimed_at + :retention::bigint * interval '1 microsecond' END,
        clock_timestamp() + {after_completion} * interval '1 microsecond')
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state IN (1, 4)
RETURNING lookup;

DELETE FROM refrain_payload WHERE record_id = :id AND kind > 1;

DELETE FROM refrain_attention WHERE lookup = :lookup
