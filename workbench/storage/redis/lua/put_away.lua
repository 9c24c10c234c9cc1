-- Move a stream into the trash, under a name that is free there.
--
-- KEYS  head, events, ids; the same three in the trash; streams, trash, beats
-- ARGV  stream, name, when
-- Returns 'put', 'missing' or 'taken'.
local streams, trash, beats = KEYS[7], KEYS[8], KEYS[9]
local stream, name, when = ARGV[1], ARGV[2], ARGV[3]

local is_there = redis.call('SISMEMBER', trash, name) == 1
if redis.call('EXISTS', KEYS[1]) == 0 then
    return is_there and 'put' or 'missing' -- put by a sending whose answer was lost, or never there
elseif is_there then
    return 'taken'
end
for index = 1, 3 do
    if redis.call('EXISTS', KEYS[index]) == 1 then
        redis.call('RENAME', KEYS[index], KEYS[index + 3])
    end
end
redis.call('HSET', KEYS[4], 'stream', stream, 'when', when)
redis.call('SADD', trash, name)
redis.call('SREM', streams, stream)
redis.call('ZREM', beats, stream)
return 'put'
