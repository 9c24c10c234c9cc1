-- Return where a stream ends and, as of the same moment, a portion of its entries.
--
-- KEYS  head, events
-- ARGV  id of the first entry, how many
-- Returns {{header, seq, hash}, entries}.
local head = redis.call('HMGET', KEYS[1], 'header', 'seq', 'hash')
return {head, redis.call('XRANGE', KEYS[2], ARGV[1], '+', 'COUNT', ARGV[2])}
