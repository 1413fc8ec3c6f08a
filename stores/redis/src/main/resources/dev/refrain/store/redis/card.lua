-- Records of a scope in one partition.
return {text(redis.call('SCARD', KEYS[1]))}
