-- Go on driving: also when the time ran out and nobody came, or the server restarted without its last second.
--
-- KEYS  driver, fence
-- ARGV  who, token, milliseconds until it has to be renewed, epoch
-- Returns 'held' or 'lost'.
local driver, fence = KEYS[1], KEYS[2]
local who, token, lasts, epoch = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local now = redis.call('HMGET', fence, 'epoch', 'token')
if now[2] ~= token and tonumber(now[1] or 0) >= epoch then
    return 'lost'
end
local other = redis.call('GET', driver)
if other and other ~= who then
    return 'lost'
end
redis.call('HSET', fence, 'epoch', epoch, 'token', token)
redis.call('SET', driver, who, 'PX', lasts)
return 'held'
