-- Store.write for one record: changes it only under exactly its id and fence.
local record, lease, expiry, attention, clock = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local member, id, fence, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local r = load(record)
if not r or expired(r) then return {'N'} end
if r.f ~= FORMAT then
  -- What it says cannot be read, but a write under another fence is certainly too late.
  if r.id ~= id or r.fence ~= fence then return {'N'} end
  return {'V', r.f or ''}
end
if r.id ~= id or r.fence ~= fence then return answer('R', r, clock) end
if r.st ~= 'P' and not (r.st == 'A' and kind == 'complete') then return answer('R', r, clock) end

if kind == 'complete' then
  local outcome, retention = optional(ARGV[5]), ARGV[6]
  set(record, r, 'st', 'C')
  set(record, r, 'done', text(now))
  set(record, r, 'out', outcome)
  set(record, r, 'req', nil)
  set(record, r, 'kept', nil)
  set(record, r, 'carried', nil)
  if retention == 'forever' then
    set(record, r, 'exp', nil)
  elseif retention ~= '' then
    set(record, r, 'exp', text(tonumber(r.claimed) + tonumber(retention)))
  end
  keepForAWhile(record, r)
elseif kind == 'release' then
  local reason = ARGV[5]
  endAttempt(record, r, now, reason == '' and 'released' or 'released: ' .. reason)
  set(record, r, 'st', 'R')
  set(record, r, 'kept', nil)
elseif kind == 'escalate' then
  set(record, r, 'st', 'A')
  set(record, r, 'why', ARGV[5])
  set(record, r, 'since', text(now))
elseif kind == 'checkpoint' then
  local point, announced, carried, duration = ARGV[5], ARGV[6], optional(ARGV[7]), ARGV[8]
  set(record, r, 'point', point)
  if announced == '1' then
    set(record, r, 'call', text(now))
    -- Between two looks the clock may be ahead for a moment, and an age is counted from this one.
    local seen = tonumber(redis.call('HGET', clock, 'seen') or '0')
    if now > seen + MINUTE / 2 then redis.call('HSET', clock, 'seen', text(now)) end
  else
    set(record, r, 'call', nil)
  end
  set(record, r, 'carried', carried)
  if duration ~= '' then set(record, r, 'lease', text(now + tonumber(duration))) end
elseif kind == 'renew' then
  set(record, r, 'lease', text(now + tonumber(ARGV[5])))
end
index(r, member, lease, expiry, attention)
return {'W'}
