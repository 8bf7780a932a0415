-- The same tombstone is that of the same version: the deletion is done.
if redis.pcall('HGET', KEYS[1], 'gone') == ARGV[2] then return {'ok'} end
