-- Return the milliseconds since a session's last beat, by the server's clock; nil where there never was one.
--
-- KEYS  beats
-- ARGV  session
local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not last then
    return nil
end
local now = redis.call('TIME')
return math.max(0, now[1] * 1000 + math.floor(now[2] / 1000) - last)
