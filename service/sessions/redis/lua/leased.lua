-- Answers for streams that are none; their key is the last.
local leased = redis.call('TYPE', KEYS[#KEYS])['ok']
if leased ~= 'none' and leased ~= 'zset' then return {'damaged'} end
