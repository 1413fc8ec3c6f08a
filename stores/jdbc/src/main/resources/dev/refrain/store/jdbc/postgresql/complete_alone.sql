-- As complete.sql, and touches no other table: one of them is locked. The outcome goes into the record. What has a stored or kept request, or is
-- listed for attention, needs the others and is left out.
UPDATE refrain_record r
SET state = 2, completed_at = clock_timestamp(), carried = NULL, outcome = a.outcome,
    expires_at = greatest(
        CASE WHEN a.retention IS NULL THEN r.expires_at
            WHEN a.retention < 0 THEN 'infinity'
            ELSE r.claimed_at + a.retention * interval '1 microsecond' END,
        clock_timestamp() + {after_completion} * interval '1 microsecond')
FROM unnest(:lookup::uuid[], :id::uuid[], :fence::bigint[], :outcome::bytea[], :retention::bigint[])
    AS a (lookup, id, fence, outcome, retention)
WHERE r.lookup = a.lookup AND r.id = a.id AND r.fence = a.fence AND r.state IN (1, 4) AND r.parts & 42 = 0
RETURNING r.lookup, true AS awaited
