-- hash of a token[, expected, document, ttl]
-- A repeated arrival writes nothing, so it succeeds even if the memory is full.
local field = 'a:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], field) == 1 then return {'ok', 0} end
if held[1] ~= ARGV[2] then return {'ok', redis.call('HSET', KEYS[1], field, '')} end
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('HSET', KEYS[1], field, '', 'doc', ARGV[3])
return {'ok', 1}
