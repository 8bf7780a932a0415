-- expected, document, ttl, channel, message, nonce, keys or '', state or '', kept or '', entry...
-- The server does not roll back a script that fails half way. HSET is first: if the memory is full
-- or its permission is missing, nothing is written. If a later command fails, HSET restores the old
-- values. The hash expires before the log, so that every session has its log. The write is valid even
-- if PUBLISH is forbidden. A line with the nonce of this write is the same write: its answer was
-- lost, and the client sent it again.
local before = tonumber(ARGV[1])
if held[1] ~= ARGV[1] then
    local at = (before + 1) .. '-0'
    local line = redis.call('XRANGE', KEYS[2], at, at)[1]
    return {line and line[2][4] == ARGV[6] and 'ok' or 'stale'}
end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= ARGV[1] .. '-0' then return {'damaged'} end
-- Without a kept event of its own, the first entry leaves that of the last line.
local kept = ARGV[9] ~= '' and ARGV[9] or last and (last[2][6] or '') or '0'
local now = before + #ARGV - 9
redis.call('HSET', KEYS[1], 'v', now, 'doc', ARGV[2])
local answer = redis.pcall('EXPIRE', KEYS[1], ARGV[3])
for place = 10, #ARGV do
    if type(answer) == 'table' and answer.err then break end
    local version = before + place - 9
    -- The first entry precedes moves of bots.
    if place > 10 then kept = version end
    local line = {version .. '-0', 'e', ARGV[place], 'n', ARGV[6], 's', kept}
    if place == #ARGV and ARGV[8] ~= '' then line[8], line[9] = 'm', ARGV[8] end
    answer = redis.pcall('XADD', KEYS[2], unpack(line))
end
if type(answer) == 'table' and answer.err then
    redis.call('HSET', KEYS[1], 'v', held[1], 'doc', held[2])
    return answer
end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'keys', ARGV[7]) end
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], ARGV[5])
return {'ok'}
