-- Store.claim for one key. A replay writes nothing, so that it is answered even when the server is out of memory.
local record, lease, expiry, attention, clock, scopes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local member, nonce, duration, policy, retention = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local scope, namespace, key, recipe, digest = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local subject, request, kept = optional(ARGV[11]), optional(ARGV[12]), optional(ARGV[13])
local operation, caller, trace, instance, scopeHash = ARGV[14], optional(ARGV[15]), optional(ARGV[16]), ARGV[17], ARGV[18]

local r = load(record)
if r and r.f ~= FORMAT then return {'V', r.f or ''} end
if r and expired(r) then
  -- Its key is a new request: a new record, with a new id.
  redis.call('DEL', record)
  if r.sk and r.sk ~= scopeHash then
    redis.call('SREM', lease:sub(1, -6) .. 's:' .. r.sk, member)
  end
  r = nil
end
if r and r.scope and (r.scope ~= scope or r.ns ~= namespace or r.key ~= key) then return {'X'} end

if not r then
  r = {f = FORMAT, id = nonce, fence = '1', owner = nonce, st = 'P', pol = policy, lease = text(now + duration),
    claimed = text(now), scope = scope, ns = namespace, key = key, rec = recipe, dig = digest, sk = scopeHash,
    op = operation, subj = subject, req = request, kept = kept, caller = caller, trace = trace}
  if retention ~= '' then r.exp = text(now + tonumber(retention)) end
  if request then r.flow = '1' end
  local fields = {}
  for name, value in pairs(r) do
    fields[#fields + 1] = name
    fields[#fields + 1] = value
  end
  redis.call('HSET', record, unpack(fields))
  redis.call('SADD', scopes, member)
  index(r, member, lease, expiry, attention)
  return answer('A', r, clock)
end

local alike
if r.rec then
  alike = r.rec == recipe and r.dig == digest
else
  alike = r.st == 'R'
end
local over = r.st == 'P' and tonumber(r.lease) <= now
if r.owner == nonce then
  -- Its own claim, asked for again. A nonce never claims a second time.
  if r.st == 'P' and not over then return answer('A', r, clock) end
  return answer('F', r, clock)
end
if not alike then return answer('F', r, clock) end

if over and r.pol == 'H' then
  -- Without a reason: whoever reads it words it by what the record shows.
  set(record, r, 'st', 'A')
  set(record, r, 'since', text(now))
  set(record, r, 'why', nil)
  index(r, member, lease, expiry, attention)
  return answer('F', r, clock)
end

if over or r.st == 'R' then
  look(clock)
  if over then endAttempt(record, r, tonumber(r.lease), 'lease ended') end
  nextFence(record, r)
  set(record, r, 'b:' .. r.fence, text(now) .. ' ' .. (trace or '') .. ' ' .. instance)
  set(record, r, 'owner', nonce)
  set(record, r, 'st', 'P')
  set(record, r, 'pol', policy)
  set(record, r, 'lease', text(now + duration))
  if request and not r.req then set(record, r, 'req', request) end
  if kept and not r.kept then set(record, r, 'kept', kept) end
  if r.req then set(record, r, 'flow', '1') end
  if not r.scope or r.op == '' then
    set(record, r, 'op', operation)
    set(record, r, 'caller', caller)
    set(record, r, 'trace', trace)
  end
  if not r.scope then
    set(record, r, 'scope', scope)
    set(record, r, 'ns', namespace)
    set(record, r, 'key', key)
    set(record, r, 'rec', recipe)
    set(record, r, 'dig', digest)
    set(record, r, 'subj', subject)
    set(record, r, 'sk', scopeHash)
    redis.call('SADD', scopes, member)
  end
  index(r, member, lease, expiry, attention)
  return answer('A', r, clock)
end
return answer('F', r, clock)
