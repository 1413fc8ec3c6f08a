-- Some records of a scope, with the cursor of the next ones in front.
local page = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local found = {page[1]}
for _, member in ipairs(page[2]) do found[#found + 1] = member end
return found
