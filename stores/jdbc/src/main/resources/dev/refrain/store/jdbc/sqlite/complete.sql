-- What was stored for the work goes, the outcome (kind 1) stays: by a range, because for a list SQLite builds a table.
-- retention: absent to leave it, negative for ever.
UPDATE refrain_record
SET state = 2, completed_at = {now}, parts = CASE WHEN :outcome IS NULL THEN parts ELSE parts | 1 END,
    expires_at = max(
        CASE WHEN :retention IS NULL THEN expires_at
            WHEN :retention < 0 THEN {for_ever}
            ELSE claimed_at + :retention / 1000 END,
        {now} + {after_completion} / 1000)
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state IN (1, 4)
RETURNING lookup;

INSERT INTO refrain_payload (record_id, kind, bytes) SELECT :id, 1, :outcome WHERE :outcome IS NOT NULL;

DELETE FROM refrain_payload WHERE record_id = :id AND kind > 1;

DELETE FROM refrain_attention WHERE lookup = :lookup
