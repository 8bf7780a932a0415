-- document, ttl, nonce, entry...
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
    return {redis.pcall('HGET', KEYS[1], 'n') == ARGV[3] and 'ok' or 'stale'}
end
for place = 4, #ARGV do
    redis.call('XADD', KEYS[2], (place - 3) .. '-0', 'e', ARGV[place], 'n', ARGV[3])
end
redis.call('HSET', KEYS[1], 'v', #ARGV - 3, 'doc', ARGV[1], 'n', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return {'ok'}
