-- Whether some records of each index have a payload that does not begin with this byte.
local lease, first, limit = KEYS[1], ARGV[1], tonumber(ARGV[2])
for _, index in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZRANGE', index, 0, limit - 1)) do
    for _, payload in ipairs(redis.call('HMGET', lease:sub(1, -6) .. 'r:' .. member, 'out', 'req', 'kept', 'carried')) do
      if payload and payload:sub(1, 1) ~= first then return {'F'} end
    end
  end
end
return {'N'}
