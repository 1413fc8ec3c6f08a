-- Which of these keys cannot be made now, because somebody has made or deleted their record and not committed yet: each is tried alone, waits for a
-- millisecond, and is rolled back again. Only after a batch has failed, because what was tried leaves a dead row behind.
--
-- First the table itself: whoever has locked all of it blocks everybody, so to wait a little longer here delays nobody, and lets a VACUUM that
-- truncates the table see that it is waited for. If it stays locked, this fails.
SELECT NULL::uuid AS lookup WHERE set_config('refrain.asked', (:lookup::uuid[])::text, true) IS NULL;

DO $$
DECLARE
    asked uuid;
    blocked uuid[] := ARRAY[]::uuid[];
BEGIN
    PERFORM set_config('lock_timeout', '200', true);
    LOCK TABLE refrain_record IN ROW EXCLUSIVE MODE;
    PERFORM set_config('lock_timeout', '1', true);
    FOREACH asked IN ARRAY current_setting('refrain.asked')::uuid[] LOOP
        BEGIN
            INSERT INTO refrain_record (lookup, id, owner, fence, expires_at, claimed_at, state, hold)
            VALUES (asked, asked, asked, 1, 'infinity', clock_timestamp(), 1, false)
            ON CONFLICT (lookup) DO NOTHING;
            RAISE SQLSTATE 'RF001';
        EXCEPTION
            WHEN lock_not_available THEN blocked := blocked || asked;
            WHEN SQLSTATE 'RF001' THEN NULL;
        END;
    END LOOP;
    PERFORM set_config('refrain.blocked', blocked::text, true);
END $$;

SELECT unnest(current_setting('refrain.blocked')::uuid[]) AS lookup
