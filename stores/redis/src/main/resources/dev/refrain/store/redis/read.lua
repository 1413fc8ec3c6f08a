-- One record as it is; without payloads where ARGV[1] asks only for what explains it.
local r = load(KEYS[1])
if not r then return {'N'} end
if r.f ~= FORMAT then return {'V', r.f or ''} end
if ARGV[1] == 'explain' then
  r.out, r.req, r.carried, r.kept = nil, nil, nil, nil
end
return answer('F', r, KEYS[2])
