-- Take a stream out of the trash.
--
-- KEYS  head, events, ids; the same three in the trash; streams, trash
-- ARGV  stream, name
-- Returns 'restored', 'missing' or 'exists'.
local streams, trash = KEYS[7], KEYS[8]
local stream, name = ARGV[1], ARGV[2]

if redis.call('EXISTS', KEYS[1]) == 1 then
    local is_ours = redis.call('HGET', KEYS[1], 'restored') == name
    return is_ours and 'restored' or 'exists' -- restored by a sending whose answer was lost, or another one
elseif redis.call('SISMEMBER', trash, name) == 0 then
    return 'missing'
end
for index = 1, 3 do
    if redis.call('EXISTS', KEYS[index + 3]) == 1 then
        redis.call('RENAME', KEYS[index + 3], KEYS[index])
    end
end
redis.call('HDEL', KEYS[1], 'stream', 'when')
redis.call('HSET', KEYS[1], 'restored', name)
redis.call('SREM', trash, name)
redis.call('SADD', streams, stream)
return 'restored'
