-- Members of a set: the steps of an operation, or the marks of encryption.
return redis.call('SMEMBERS', KEYS[1])
