-- Note that a session is alive now, by the server's clock.
--
-- KEYS  beats
-- ARGV  session
local now = redis.call('TIME')
redis.call('ZADD', KEYS[1], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[1])
return 'noted'
