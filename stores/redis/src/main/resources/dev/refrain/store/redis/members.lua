-- Steps of one operation.
return redis.call('SMEMBERS', KEYS[1])
