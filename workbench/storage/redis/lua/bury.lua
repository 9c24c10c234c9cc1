-- Declare a driver dead that was not renewed: what it still sends is refused. A living one stays.
--
-- KEYS  driver, fence
-- Returns 'dead' or 'alive'.
local driver, fence = KEYS[1], KEYS[2]

if redis.call('EXISTS', driver) == 1 then
    return 'alive'
end
redis.call('HINCRBY', fence, 'epoch', 1)
redis.call('HSET', fence, 'token', '')
return 'dead'
