-- Where a view comes from.
refrain_record r
LEFT JOIN refrain_attention t ON r.state = 4 AND t.lookup = r.lookup AND t.record_id = r.id AND t.fence = r.fence
