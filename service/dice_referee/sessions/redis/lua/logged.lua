-- Answers for a log that is none.
local logged = redis.call('TYPE', KEYS[2])['ok']
if logged ~= 'none' and logged ~= 'stream' then return {'damaged'} end
