-- Deletes one record, if it has expired.
local record, lease, expiry, attention, member = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]
local r = load(record)
if not r then
  redis.call('ZREM', expiry, member)
  return {'N'}
end
if r.f ~= FORMAT or not expired(r) then return {'N'} end
redis.call('DEL', record)
redis.call('ZREM', expiry, member)
redis.call('ZREM', lease, member)
redis.call('ZREM', attention, member)
if r.sk then redis.call('SREM', lease:sub(1, -6) .. 's:' .. r.sk, member) end
return {'W'}
