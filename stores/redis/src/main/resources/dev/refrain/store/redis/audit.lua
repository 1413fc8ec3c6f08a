-- A line in the audit trail of one partition.
redis.call('LPUSH', KEYS[1], text(now) .. ' ' .. ARGV[1])
return {'W'}
