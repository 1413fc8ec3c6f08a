-- The hot path. Changes no indexed column (the lease is left as it is, the state says that it is over; the expiry is
-- set to what it already was unless an hour from now is later), so the row is rewritten in place. What a claim may have
-- stored beside the record is looked for only where its bit says so.
--
-- retention: absent to leave it, negative for ever.
WITH done AS (
    UPDATE refrain_record r
    SET state = 2, completed_at = clock_timestamp(), carried = NULL,
        parts = CASE WHEN a.outcome IS NULL THEN r.parts ELSE (r.parts | 1)::smallint END,
        expires_at = greatest(
            CASE WHEN a.retention IS NULL THEN r.expires_at
                WHEN a.retention < 0 THEN 'infinity'
                ELSE r.claimed_at + a.retention * interval '1 microsecond' END,
            clock_timestamp() + {after_completion} * interval '1 microsecond')
    FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :outcome::bytea[], :retention::bigint[])
        AS a (lookup, id, fence, outcome, retention)
    WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state IN (1, 4)
    RETURNING r.lookup, r.id, r.parts, a.outcome
),
kept AS (
    INSERT INTO refrain_payload (record_id, kind, bytes)
    SELECT d.id, 1, d.outcome FROM done d WHERE d.outcome IS NOT NULL
),
dropped AS (
    DELETE FROM refrain_payload p USING done d WHERE d.parts & 34 <> 0 AND p.record_id = d.id AND p.kind > 1
),
unlisted AS (
    DELETE FROM refrain_attention t USING done d WHERE d.parts & 8 <> 0 AND t.lookup = d.lookup
)
SELECT lookup, {awaited_done} FROM done
