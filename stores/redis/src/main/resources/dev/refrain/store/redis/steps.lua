-- Adds steps to those of an operation, while they are few enough to be listed.
for i = 2, #ARGV do
  if redis.call('SCARD', KEYS[1]) <= tonumber(ARGV[1]) then redis.call('SADD', KEYS[1], ARGV[i]) end
end
return {'W'}
