-- Only a flow comes here. What the last phase carried is replaced by what this one carries, or dropped.
WITH passed AS (
    UPDATE refrain_record r
    SET recovery_point = a.recovery_point, lease_until = clock_timestamp() + a.lease * interval '1 microsecond',
        parts = CASE WHEN a.carried IS NULL THEN r.parts & ~4 ELSE r.parts | 4 END
    FROM unnest(
        :lookup::uuid[], :id::uuid[], :fence::bigint[], :recovery_point::text[], :carried::bytea[], :lease::bigint[]
    ) AS a (lookup, id, fence, recovery_point, carried, lease)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state = 1
    RETURNING r.lookup, r.id, a.carried
),
dropped AS (
    DELETE FROM refrain_payload p USING passed c WHERE c.carried IS NULL AND p.record_id = c.id AND p.kind = 4
),
carried AS (
    INSERT INTO refrain_payload (record_id, kind, bytes)
    SELECT c.id, 4, c.carried FROM passed c WHERE c.carried IS NOT NULL
    ON CONFLICT (record_id, kind) DO UPDATE SET bytes = excluded.bytes
)
SELECT lookup FROM passed
