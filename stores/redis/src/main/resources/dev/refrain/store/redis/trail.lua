-- The newest lines of the audit trail of one partition.
return redis.call('LRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)
