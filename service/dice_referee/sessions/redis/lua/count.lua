-- limit[, channel, message]
-- Counts like RateLimitKey.take in limits/counters.py, by the server's clock in whole microseconds,
-- which a double represents exactly. The key expires with the debt.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
-- Microseconds of a minute for each request.
local step = math.max(math.floor(60000000 / ARGV[1]), 1)
local whole = step * ARGV[1]
-- Any other value counts as no debt.
local held = redis.pcall('GET', KEYS[1])
local owed = 0
if type(held) == 'string' and #held < 17 and string.match(held, '^%d+$') then
    owed = math.min(math.max(tonumber(held) - now, 0), whole)
end
local allowed = owed + step <= whole
if allowed then owed = owed + step end
-- Written even after a refusal, or a lowered limit would refuse for ever.
redis.call('SET', KEYS[1], string.format('%.0f', now + owed), 'PX', math.ceil(owed / 1000))
-- Allowed even if PUBLISH is forbidden.
if allowed and ARGV[2] then redis.pcall('PUBLISH', ARGV[2], ARGV[3]) end
return {allowed and 'ok' or 'many', owed}
