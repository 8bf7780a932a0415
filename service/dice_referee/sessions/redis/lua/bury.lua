-- expected, tombstone, ttl, channel
-- A script that fails half way is not undone. EXPIRE comes first: it is done where memory is full,
-- and then so is HSET. Each right is used once before DEL, in a way that changes no session.
if held[1] ~= ARGV[1] then return {'stale'} end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[1], 'v', held[1])
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], 'gone')
return {'ok'}
