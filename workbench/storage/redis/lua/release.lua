-- Leave the driver's place. Its fencing epoch stays, so that the next one is a later one.
--
-- KEYS  driver, fence
-- ARGV  who, token
local driver, fence = KEYS[1], KEYS[2]
local who, token = ARGV[1], ARGV[2]

if redis.call('GET', driver) == who then
    redis.call('DEL', driver)
end
if redis.call('HGET', fence, 'token') == token then
    redis.call('HSET', fence, 'token', '') -- a renewal that comes late revives nothing
end
return 'left'
