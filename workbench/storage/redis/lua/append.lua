-- Append a batch behind the place it was sealed behind: whole, once, or not at all.
--
-- KEYS  head, events, ids, streams, then the fence of each session that the writer drives and that is in the batch
-- ARGV  stream, the place (header, seq, hash), the batch's token, the hash behind it,
--       the number of fences and for each: epoch, token;
--       for each event: its id, "given" where its writer chose that, its line
-- Returns {'stored'}, {'missing'}, {'fenced', index} or {'behind', header, seq, hash}: seal again behind this place,
-- and look for what is stored already.
local head, events, ids, streams = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local stream, header, seq, hash, batch, new_hash = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]
local fences = tonumber(ARGV[7])
local first = 8 + 2 * fences

local function entry(number)
    return string.format('%d-0', number)
end

local function behind(there)
    return {'behind', there[1], there[2], there[3]}
end

local there = redis.call('HMGET', head, 'header', 'seq', 'hash')
if not there[1] then
    if seq > 0 then
        return {'missing'}
    end
elseif there[1] ~= header or tonumber(there[2]) ~= seq or there[3] ~= hash then
    local next_one = redis.call('XRANGE', events, entry(seq + 1), entry(seq + 1))[1]
    if next_one and next_one[2][4] == batch then
        return {'stored'} -- by the sending before this one, whose answer was lost
    end
    return behind(there)
end

for index = 1, fences do
    local epoch, token = tonumber(ARGV[6 + 2 * index]), ARGV[7 + 2 * index]
    local now = redis.call('HMGET', KEYS[4 + index], 'epoch', 'token')
    if now[2] ~= token and tonumber(now[1] or 0) >= epoch then
        return {'fenced', index}
    end
end

for index = first, #ARGV, 3 do
    if ARGV[index + 1] == 'given' and redis.call('HEXISTS', ids, ARGV[index]) == 1 then
        return behind(there)
    end
end

local size = there[1] and 0 or #header + 1
for index = first, #ARGV, 3 do
    seq = seq + 1
    redis.call('XADD', events, entry(seq), 'line', ARGV[index + 2], 'batch', batch)
    redis.call('HSET', ids, ARGV[index], seq)
    size = size + #ARGV[index + 2] + 1
end
redis.call('HSET', head, 'header', header, 'seq', seq, 'hash', new_hash)
redis.call('HINCRBY', head, 'size', size)
redis.call('SADD', streams, stream)
return {'stored'}
