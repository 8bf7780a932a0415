-- [field of records]
if not ARGV[1] then return {'ok', held[1], held[2]} end
return {'ok', held[1], held[2], redis.call('HGET', KEYS[1], ARGV[1]) or ''}
