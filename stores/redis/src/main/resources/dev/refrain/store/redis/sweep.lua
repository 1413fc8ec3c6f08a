-- Settles one claim whose lease is over and that nobody retries.
local record, lease, expiry, attention, clock = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local member, grace = ARGV[1], tonumber(ARGV[2])
local r = load(record)
if not r then
  redis.call('ZREM', lease, member)
  return {'N'}
end
if r.f ~= FORMAT or r.st ~= 'P' or tonumber(r.lease) + grace > now then return {'N'} end
if r.pol == 'H' then
  set(record, r, 'st', 'A')
  set(record, r, 'since', text(now))
  set(record, r, 'why', nil)
else
  endAttempt(record, r, tonumber(r.lease), 'lease ended')
  set(record, r, 'st', 'R')
  set(record, r, 'kept', nil)
end
index(r, member, lease, expiry, attention)
if r.pol == 'H' then return {'A', r.op, r.scope, r.ns, r.key, r.id} end
return {'R'}
