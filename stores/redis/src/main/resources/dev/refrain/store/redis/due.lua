-- Members of an index up to now, less a grace; a sweep also looks at the clock.
if ARGV[3] == 'look' then look(KEYS[2]) end
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text(now - tonumber(ARGV[1])), 'LIMIT', 0, ARGV[2])
