-- limit, most, least
-- As RateLimitKey.take in limits/counters.py, by the clock of the server: whole microseconds, which
-- a double holds exactly. The key goes when nothing is owed any more.
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind ~= 'none' and kind ~= 'string' then return {'damaged'} end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, most = tonumber(ARGV[1]), tonumber(ARGV[2])
-- The microseconds of a minute.
local step = math.max(math.floor(60000000 / limit), 1)
local whole = step * limit
local held = redis.call('GET', KEYS[1])
local owed = 0
if held and #held < 17 and string.match(held, '^%d+$') then owed = tonumber(held) - now end
-- Written down even if nothing is spent: else it would be as much the next time.
local lowered = owed > whole
owed = math.min(math.max(owed, 0), whole)
local spent = math.min(most, math.floor((whole - owed) / step))
if spent < tonumber(ARGV[3]) then spent = 0 end
if spent > 0 or lowered then
    owed = owed + spent * step
    local due = string.format('%.0f', now + owed)
    redis.call('SET', KEYS[1], due, 'PX', math.ceil(owed / 1000))
end
return {'ok', spent, owed}
