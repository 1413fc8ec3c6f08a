-- Attempts of these records that were written down.
SELECT t.record_id, t.fence, t.instance, t.trace_id, t.began_at, t.ended_at, t.end_reason
FROM {rows(id uuid)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = a.id
