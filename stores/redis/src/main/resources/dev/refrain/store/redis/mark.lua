-- Adds a mark of encryption.
redis.call('SADD', KEYS[1], ARGV[1])
return {'W'}
