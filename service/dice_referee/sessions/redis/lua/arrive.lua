-- hash of a token
-- A repeated arrival writes nothing: it is answered where memory is full, too.
local field = 'a:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], field) == 1 then return {'ok', 0} end
return {'ok', redis.call('HSET', KEYS[1], field, '')}
