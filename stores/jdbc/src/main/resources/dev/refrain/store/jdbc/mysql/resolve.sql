-- Decision and audit are one step: neither is there without the other.
SELECT r.lookup FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND r.fence = :fence AND r.state = 4
FOR UPDATE;

INSERT INTO refrain_attempt (record_id, fence, trace_id, began_at, ended_at, end_reason)
SELECT r.id, r.fence, CASE WHEN r.fence = 1 THEN r.trace_id END, CASE WHEN r.fence = 1 THEN r.claimed_at END, t.since,
    CONCAT('outcome unknown: ', t.reason)
FROM refrain_record r STRAIGHT_JOIN refrain_attention t FORCE INDEX (PRIMARY) ON t.lookup = r.lookup
WHERE r.lookup = :lookup
{ended_anew};

UPDATE refrain_record
SET fence = fence + 1, state = :state,
    -- Whoever lets it run again says that nothing was sent.
    recovery_point = CASE WHEN :not_sent = 1 THEN {without_mark(recovery_point)} ELSE recovery_point END,
    call_announced_at = CASE WHEN :not_sent = 0 THEN call_announced_at END,
    completed_at = CASE WHEN :state = 2 THEN {now} END,
    parts = parts | CASE WHEN :has_outcome THEN 17 ELSE 16 END,
    -- Whatever was decided, there is time to act on it. retention: absent to leave it, negative for ever.
    expires_at = greatest(
        CASE WHEN :retention IS NULL THEN expires_at WHEN :retention < 0 THEN {for_ever} ELSE claimed_at + {as_number(:retention)} END,
        {now} + {after_completion})
WHERE lookup = :lookup;

{given(outcome)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome);

DELETE FROM refrain_payload WHERE record_id = :id AND (kind = 32 OR :state = 2 AND kind IN (2, 4));

UPDATE refrain_payload SET due_at = {now}, attempts = 0 WHERE :state = 3 AND record_id = :id AND kind = 2;

DELETE FROM refrain_attention WHERE lookup = :lookup;

INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :id_text, :who, :why)
