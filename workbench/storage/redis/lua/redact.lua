-- Give stored events other lines under another header, and append a batch that says so: both or neither.
--
-- KEYS  head, events, ids, where the events are written anew
-- ARGV  the place (header, seq, hash), the new header, the batch's token, the hash behind it,
--       the number of other lines and for each: seq, line;
--       for each event of the batch: its id, its line
-- Returns {'stored'}, {'missing'} or {'behind'}.
local head, events, ids, anew = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local header, seq, hash, new_header, batch, new_hash = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local others = tonumber(ARGV[7])

local function entry(number)
    return string.format('%d-0', number)
end

local there = redis.call('HMGET', head, 'header', 'seq', 'hash')
if not there[1] then
    return {'missing'}
elseif there[1] == new_header then
    return {'stored'} -- by the sending before this one, whose answer was lost
elseif there[1] ~= header or tonumber(there[2]) ~= seq or there[3] ~= hash then
    return {'behind'}
end

local lines = {}
for index = 8, 7 + 2 * others, 2 do
    lines[ARGV[index]] = ARGV[index + 1]
end

redis.call('DEL', anew)
local size, after = #new_header + 1, 0
repeat
    local portion = redis.call('XRANGE', events, entry(after + 1), '+', 'COUNT', 500)
    for _, stored in ipairs(portion) do
        after = after + 1
        local line = lines[tostring(after)] or stored[2][2]
        redis.call('XADD', anew, stored[1], 'line', line, 'batch', stored[2][4])
        size = size + #line + 1
    end
until #portion == 0

for index = 8 + 2 * others, #ARGV, 2 do
    seq = seq + 1
    redis.call('XADD', anew, entry(seq), 'line', ARGV[index + 1], 'batch', batch)
    redis.call('HSET', ids, ARGV[index], seq)
    size = size + #ARGV[index + 1] + 1
end
redis.call('RENAME', anew, events)
redis.call('HSET', head, 'header', new_header, 'seq', seq, 'hash', new_hash, 'size', size)
return {'stored'}
