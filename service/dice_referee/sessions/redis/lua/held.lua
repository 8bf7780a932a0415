-- Answers for a session that is missing, deleted or damaged.
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'none' then return {'missing'} end
if kind ~= 'hash' then return {'damaged'} end
local held = redis.call('HMGET', KEYS[1], 'v', 'doc', 'gone')
if held[3] then return {'gone', held[3]} end
if not (held[1] and held[2]) then return {'damaged'} end
if #held[1] > 9 or not string.match(held[1], '^%d+$') then return {'damaged'} end
