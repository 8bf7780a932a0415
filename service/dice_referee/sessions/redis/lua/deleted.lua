-- An equal tombstone is of the same version, so the deletion is already done.
if redis.pcall('HGET', KEYS[1], 'gone') == ARGV[2] then return {'ok'} end
