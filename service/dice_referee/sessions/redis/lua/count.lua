-- limit
-- Counts as RateLimitKey.take in limits/counters.py, by the server's clock: whole microseconds, which
-- a double holds exactly. The key goes when nothing is owed any more.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
-- The microseconds of a minute.
local step = math.max(math.floor(60000000 / ARGV[1]), 1)
local whole = step * ARGV[1]
-- A key that holds anything else counts as none.
local held = redis.pcall('GET', KEYS[1])
local owed = 0
if type(held) == 'string' and #held < 17 and string.match(held, '^%d+$') then
    owed = math.min(math.max(tonumber(held) - now, 0), whole)
end
local allowed = owed + step <= whole
if allowed then owed = owed + step end
-- Written even if nothing is counted: else a limit that was lowered would refuse for ever.
redis.call('SET', KEYS[1], string.format('%.0f', now + owed), 'PX', math.ceil(owed / 1000))
return {allowed and 'ok' or 'many', owed}
