-- Attempts of this record that were written down.
SELECT t.record_id, t.fence, t.instance, t.trace_id, t.began_at * 1000 AS began_at, t.ended_at * 1000 AS ended_at, t.end_reason
FROM refrain_attempt t WHERE t.record_id = :id
