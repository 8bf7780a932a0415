-- [key]
return {'ok', held[1], held[2], ARGV[1] and redis.call('HGET', KEYS[1], 'k:' .. ARGV[1])}
