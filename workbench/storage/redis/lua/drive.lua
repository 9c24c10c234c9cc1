-- Take the driver's place of a session, under a fencing epoch that none before had.
--
-- KEYS  head, driver, fence
-- ARGV  who, as the driver's key says it; token; milliseconds until it has to be renewed
-- Returns {'driving', epoch}, {'missing'} or {'busy', who}.
local head, driver, fence = KEYS[1], KEYS[2], KEYS[3]
local who, token, lasts = ARGV[1], ARGV[2], ARGV[3]

if redis.call('EXISTS', head) == 0 then
    return {'missing'}
end
local other = redis.call('GET', driver)
if other == who then
    return {'driving', tonumber(redis.call('HGET', fence, 'epoch'))} -- taken by a sending whose answer was lost
elseif other then
    return {'busy', other}
end
local epoch = redis.call('HINCRBY', fence, 'epoch', 1)
redis.call('HSET', fence, 'token', token)
redis.call('SET', driver, who, 'PX', lasts)
return {'driving', epoch}
