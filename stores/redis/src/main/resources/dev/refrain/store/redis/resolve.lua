-- A decision about one record in attention, with its line in the audit trail of the partition.
local record, lease, expiry, attention, clock, trail = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local member, id, fence, verdict, line, ended = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local outcome, retention = optional(ARGV[7]), ARGV[8]
local r = load(record)
if not r or expired(r) then return {'N'} end
if r.f ~= FORMAT then
  if r.id ~= id or r.fence ~= fence then return {'N'} end
  return {'V', r.f or ''}
end
if r.st ~= 'A' or r.id ~= id or r.fence ~= fence then return answer('R', r, clock) end

endAttempt(record, r, tonumber(r.since), 'outcome unknown: ' .. (r.why or ended))
if verdict == 'done' then
  set(record, r, 'st', 'C')
  set(record, r, 'done', text(now))
  set(record, r, 'out', outcome)
  set(record, r, 'req', nil)
  set(record, r, 'carried', nil)
  if retention == 'forever' then
    set(record, r, 'exp', nil)
  elseif retention ~= '' then
    set(record, r, 'exp', text(tonumber(r.claimed) + tonumber(retention)))
  end
else
  set(record, r, 'st', 'R')
  if verdict == 'again' then set(record, r, 'call', nil) end
end
set(record, r, 'kept', nil)
keepForAWhile(record, r)
nextFence(record, r)
index(r, member, lease, expiry, attention)
redis.call('LPUSH', trail, text(now) .. ' ' .. line)
return {'W'}
