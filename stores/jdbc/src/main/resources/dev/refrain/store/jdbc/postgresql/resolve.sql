-- Decision and audit are one step: neither is there without the other.
WITH resolved AS (
    UPDATE refrain_record r
    SET fence = r.fence + 1, state = :state,
        -- Whoever lets it run again says that nothing was sent.
        recovery_point = CASE WHEN :not_sent = 1 THEN rtrim(r.recovery_point, '!') ELSE r.recovery_point END,
        call_announced_at = CASE WHEN :not_sent = 0 THEN r.call_announced_at END,
        carried = CASE WHEN :state = 3 THEN r.carried END,
        completed_at = CASE WHEN :state = 2 THEN clock_timestamp() END,
        parts = CASE WHEN :outcome::bytea IS NULL THEN r.parts | 16 ELSE r.parts | 17 END,
        -- Whatever was decided, there is time to act on it. retention: absent to leave it, negative for ever.
        expires_at = greatest(
            CASE WHEN :retention::bigint IS NULL THEN r.expires_at
                WHEN :retention::bigint < 0 THEN 'infinity'
                ELSE r.claimed_at + :retention::bigint * interval '1 microsecond' END,
            clock_timestamp() + {after_completion} * interval '1 microsecond')
    WHERE r.lookup = :lookup AND r.id = :id AND r.fence = :fence AND r.state = 4
    RETURNING r.lookup, r.id, r.state, r.claimed_at, r.trace_id
),
kept AS (
    INSERT INTO refrain_payload (record_id, kind, bytes)
    SELECT x.id, 1, :outcome FROM resolved x WHERE :outcome::bytea IS NOT NULL
),
dropped AS (
    DELETE FROM refrain_payload p USING resolved x WHERE p.record_id = x.id AND (p.kind = 32 OR x.state = 2 AND p.kind = 2)
),
due AS (
    UPDATE refrain_payload p SET due_at = clock_timestamp(), attempts = 0
    FROM resolved x WHERE x.state = 3 AND p.record_id = x.id AND p.kind = 2
),
ended AS (
    INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
    SELECT x.id, :fence, CASE WHEN :fence = 1 THEN x.trace_id END, CASE WHEN :fence = 1 THEN x.claimed_at END, t.since,
        'outcome unknown: ' || t.reason
    FROM resolved x JOIN refrain_attention t ON t.lookup = x.lookup
    ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason
),
unlisted AS (
    DELETE FROM refrain_attention t USING resolved x WHERE t.lookup = x.lookup
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), :action, x.id::text, :who, :why FROM resolved x
)
SELECT lookup FROM resolved
