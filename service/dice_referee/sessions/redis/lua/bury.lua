-- expected, tombstone, ttl, channel
-- The server does not roll back a script that fails half way. EXPIRE is first, because it succeeds
-- with full memory and allows HSET. Each permission is tried before DEL, without changing a session.
if held[1] ~= ARGV[1] then return {'stale'} end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[1], 'v', held[1])
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], 'gone')
return {'ok'}
