-- Members of an index with their scores, behind (score, member), in that order.
local score, member, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local found, offset = {}, 0
while #found < 2 * limit do
  local page = redis.call('ZRANGEBYSCORE', KEYS[1], score, '+inf', 'WITHSCORES', 'LIMIT', offset, limit)
  if #page == 0 then break end
  for i = 1, #page, 2 do
    local past = tonumber(page[i + 1]) > tonumber(score) or page[i] > member
    if past and #found < 2 * limit then
      found[#found + 1] = page[i]
      found[#found + 1] = page[i + 1]
    end
  end
  offset = offset + limit
end
return found
