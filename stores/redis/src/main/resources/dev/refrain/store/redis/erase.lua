-- Erases the contents of one record of a scope or a person. Of a record in use only the request that is kept for people goes.
local record, lease, scopes = KEYS[1], KEYS[2], KEYS[3]
local member, scope, subject, room = ARGV[1], ARGV[2], optional(ARGV[3]), ARGV[4]
local r = load(record)
if not r then
  redis.call('SREM', scopes, member)
  return {'N'}
end
if r.f ~= FORMAT then return {'V', r.f or ''} end
if r.scope ~= scope or (subject and r.subj ~= subject) then return {'N'} end
if not settled(r) then
  set(record, r, 'kept', nil)
  return {'U'}
end
if room ~= '1' then return {'M'} end
for _, name in ipairs({'scope', 'ns', 'key', 'subj', 'rec', 'dig', 'sk', 'out', 'req', 'kept', 'carried', 'caller', 'trace', 'why'}) do
  redis.call('HDEL', record, name)
end
for name, value in pairs(r) do
  if name:sub(1, 2) == 'b:' then
    redis.call('HSET', record, name, (value:gsub('^(%S*) %S* (.*)$', '%1  %2')))
  elseif name:sub(1, 2) == 'e:' then
    redis.call('HSET', record, name, (value:gsub(':.*$', '')))
  end
end
redis.call('SREM', scopes, member)
return {'E'}
