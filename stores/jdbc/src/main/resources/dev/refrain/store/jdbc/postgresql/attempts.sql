-- Attempts of these records that were written down.
SELECT t.record_id, t.fence, t.instance, t.trace_id,
    (extract(epoch FROM t.began_at) * 1000000)::bigint AS began_at,
    (extract(epoch FROM t.ended_at) * 1000000)::bigint AS ended_at, t.end_reason
FROM refrain_attempt t WHERE t.record_id = ANY (:id::uuid[])
