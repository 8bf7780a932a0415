-- document, ttl, nonce
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
    return {redis.pcall('HGET', KEYS[1], 'n') == ARGV[3] and 'ok' or 'stale'}
end
redis.call('HSET', KEYS[1], 'v', '0', 'doc', ARGV[1], 'n', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {'ok'}
