-- Return the entries of events that are looked for by their ids, each behind its seq; those that are not there are left out.
--
-- KEYS  ids, events
-- ARGV  event ids
-- Returns {{seq, entries}, …}, with one entry or, in a damaged stream, none.
local found = {}
for _, id in ipairs(ARGV) do
    local seq = redis.call('HGET', KEYS[1], id)
    if seq then
        found[#found + 1] = {seq, redis.call('XRANGE', KEYS[2], seq .. '-0', seq .. '-0')}
    end
end
return found
