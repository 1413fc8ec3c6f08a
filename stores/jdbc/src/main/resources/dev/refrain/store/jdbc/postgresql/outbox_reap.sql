-- Many at once do no harm: what another one holds is skipped.
DELETE FROM refrain_outbox_past p
WHERE p.id = ANY (ARRAY(
    SELECT x.id FROM refrain_outbox_past x
    WHERE x.cause = 0 AND x.keep_until <= statement_timestamp()
    ORDER BY x.keep_until
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
RETURNING 1 AS reaped
