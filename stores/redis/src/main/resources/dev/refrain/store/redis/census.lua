-- Counts of one partition, each up to a limit.
local lease, attention, expiry, clock, limit = KEYS[1], KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[1])
local running = redis.call('ZRANGE', lease, 0, limit - 1)
local base = lease:sub(1, -6)
local oldest = ''
local least = nil
for _, member in ipairs(running) do
  local claimed = tonumber(redis.call('HGET', base .. 'r:' .. member, 'claimed') or '')
  if claimed and (not least or claimed < least) then least = claimed end
end
if least then oldest = text(least) end
local first = redis.call('ZRANGE', expiry, 0, 0, 'WITHSCORES')
local notes = redis.call('HMGET', clock, 'seen', 'peak', 'total')
return {'C', text(now), notes[1] or '0', notes[2] or '0', notes[3] or '0', text(#running),
  text(redis.call('ZCOUNT', lease, '-inf', text(now))), text(redis.call('ZCARD', attention)),
  text(redis.call('ZCOUNT', expiry, '-inf', text(now))), oldest, first[2] or ''}
