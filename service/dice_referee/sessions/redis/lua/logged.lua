-- Answers for a damaged log.
local logged = redis.call('TYPE', KEYS[2])['ok']
if logged ~= 'none' and logged ~= 'stream' then return {'damaged'} end
