-- Decision and audit are one step: neither is there without the other.
UPDATE refrain_record
SET fence = fence + 1, state = :state,
    -- Whoever lets it run again says that nothing was sent.
    recovery_point = CASE WHEN :state = 3 THEN rtrim(recovery_point, '!') ELSE recovery_point END,
    completed_at = CASE WHEN :state = 2 THEN {now} END,
    parts = CASE WHEN :outcome IS NULL THEN parts ELSE parts | 1 END,
    -- Whatever was decided, there is time to act on it. retention: absent to leave it, negative for ever.
    expires_at = max(
        CASE WHEN :retention IS NULL THEN expires_at
            WHEN :retention < 0 THEN {for_ever}
            ELSE claimed_at + :retention / 1000 END,
        {now} + {after_completion} / 1000)
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 4
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 1, :outcome WHERE :outcome IS NOT NULL;

DELETE FROM refrain_payload WHERE :state = 2 AND record_id = :id AND kind IN (2, 4);

UPDATE refrain_payload SET due_at = {now}, attempts = 0 WHERE :state = 3 AND record_id = :id AND kind = 2;

DELETE FROM refrain_attention WHERE lookup = :lookup;

INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :id_text, :who, :why)
