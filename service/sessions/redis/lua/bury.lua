-- expected, tombstone, ttl, channel
if held[1] ~= ARGV[1] then return {'stale'} end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], 'gone')
return {'ok'}
