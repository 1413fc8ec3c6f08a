-- Decision and audit are one step: neither is there without the other.
UPDATE refrain_record
SET fence = fence + 1, state = :state,
    -- Whoever lets it run again says that nothing was sent.
    recovery_point = CASE WHEN :not_sent = 1 THEN rtrim(recovery_point, '!') ELSE recovery_point END,
    call_announced_at = CASE WHEN :not_sent = 0 THEN call_announced_at END,
    completed_at = CASE WHEN :state = 2 THEN {now} END,
    parts = CASE WHEN :outcome IS NULL THEN parts | 16 ELSE parts | 17 END,
    -- Whatever was decided, there is time to act on it. retention: absent to leave it, negative for ever.
    expires_at = max(
        CASE WHEN :retention IS NULL THEN expires_at
            WHEN :retention < 0 THEN {for_ever}
            ELSE claimed_at + :retention / 1000 END,
        {now} + {after_completion} / 1000)
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 4
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 1, :outcome WHERE :outcome IS NOT NULL;

DELETE FROM refrain_payload WHERE record_id = :id AND (kind = 32 OR :state = 2 AND kind IN (2, 4));

UPDATE refrain_payload SET due_at = {now}, attempts = 0 WHERE :state = 3 AND record_id = :id AND kind = 2;

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, :fence, CASE WHEN :fence = 1 THEN r.trace_id END, CASE WHEN :fence = 1 THEN r.claimed_at END, t.since,
    'outcome unknown: ' || t.reason
FROM refrain_record r JOIN refrain_attention t ON t.lookup = r.lookup WHERE r.lookup = :lookup
ON CONFLICT (record_id, fence) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason;

DELETE FROM refrain_attention WHERE lookup = :lookup;

INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :id_text, :who, :why)
