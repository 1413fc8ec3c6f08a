-- In front of every script. All keys of a script are of one partition, and so in one slot. Times are microseconds of the server's own clock, which a
-- double holds exactly until the year 2255.
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])

local FORMAT = '1'
local HOUR = 3600 * 1000000
local MINUTE = 60 * 1000000
local KEPT_ATTEMPTS = 20

local function text(number)
  return string.format('%.0f', number)
end

-- An argument that may be absent is empty, or has a byte in front.
local function optional(argument)
  if argument == '' then return nil end
  return argument:sub(2)
end

local function load(key)
  local flat = redis.call('HGETALL', key)
  if #flat == 0 then return nil end
  local r = {}
  for i = 1, #flat, 2 do r[flat[i]] = flat[i + 1] end
  return r
end

local function settled(r)
  return r.st == 'C' or (r.st == 'R' and not r.point)
end

local function expired(r)
  return settled(r) and r.exp ~= nil and tonumber(r.exp) <= now
end

-- The answer of a script: what happened, the time, the notes of the clock, and the record.
local function answer(kind, r, clock)
  local notes = redis.call('HMGET', clock, 'seen', 'peak', 'total')
  local reply = {kind, text(now), notes[1] or '0', notes[2] or '0', notes[3] or '0'}
  for name, value in pairs(r) do
    reply[#reply + 1] = name
    reply[#reply + 1] = value
  end
  return reply
end

-- Notes by how much at least the clock was set back since it was last looked at.
local function look(clock)
  local notes = redis.call('HMGET', clock, 'seen', 'peak', 'total')
  local seen, peak, total = tonumber(notes[1] or '0'), tonumber(notes[2] or '0'), tonumber(notes[3] or '0')
  if seen > now then
    peak = math.max(peak, seen + MINUTE)
    total = total + (seen - now) + MINUTE
  end
  redis.call('HSET', clock, 'seen', text(now), 'peak', text(peak), 'total', text(total))
end

local function set(key, r, name, value)
  r[name] = value
  if value == nil then
    redis.call('HDEL', key, name)
  else
    redis.call('HSET', key, name, value)
  end
end

-- How the last attempt ended, unless that is known. Until then the record itself says how the first one began.
local function endAttempt(key, r, at, reason)
  if r.fence == '1' and not r['b:1'] then
    set(key, r, 'b:1', r.claimed .. ' ' .. (r.trace or '') .. ' ')
  end
  local name = 'e:' .. r.fence
  if not r[name] then set(key, r, name, text(at) .. ' ' .. reason) end
end

local function nextFence(key, r)
  local fence = tonumber(r.fence) + 1
  set(key, r, 'fence', text(fence))
  local old = fence - KEPT_ATTEMPTS
  if old > 1 then
    set(key, r, 'b:' .. text(old), nil)
    set(key, r, 'e:' .. text(old), nil)
  end
end

local function keepForAWhile(key, r)
  if r.exp and tonumber(r.exp) < now + HOUR then set(key, r, 'exp', text(now + HOUR)) end
end

-- The indices follow the record: one place at most in each.
local function index(r, member, lease, expiry, attention)
  if r.st == 'P' then
    redis.call('ZADD', lease, r.lease, member)
  else
    redis.call('ZREM', lease, member)
  end
  if settled(r) and r.exp then
    redis.call('ZADD', expiry, r.exp, member)
  else
    redis.call('ZREM', expiry, member)
  end
  if r.st == 'A' then
    redis.call('ZADD', attention, r.since, member)
  else
    redis.call('ZREM', attention, member)
  end
end

