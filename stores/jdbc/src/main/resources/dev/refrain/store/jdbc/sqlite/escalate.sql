UPDATE refrain_record SET state = 4, parts = parts | 8
WHERE lookup = :lookup AND id = :id AND fence = :fence AND state = 1
RETURNING lookup;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
VALUES (:lookup, :id, :fence, {now}, :reason)
