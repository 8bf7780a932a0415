-- document, ttl, nonce, state or '', entry...
-- The server does not roll back a script that fails half way. The first XADD and EXPIRE find no key
-- and write nothing, but fail before HSET if the memory is full or a permission is missing.
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
    return {redis.pcall('HGET', KEYS[1], 'n') == ARGV[3] and 'ok' or 'stale'}
end
-- The last fifth of the memory is for existing sessions. Without INFO the limit is unknown.
local memory = redis.pcall('INFO', 'memory')
if type(memory) == 'string' then
    local most = tonumber(string.match(memory, 'maxmemory:(%d+)'))
    if most > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > 0.8 * most then return {'full'} end
end
redis.call('XADD', KEYS[2], 'NOMKSTREAM', '1-0', 'e', '', 'n', '')
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[1], 'v', #ARGV - 4, 'doc', ARGV[1], 'n', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[2])
for place = 5, #ARGV do
    local version = place - 4
    local line = {version .. '-0', 'e', ARGV[place], 'n', ARGV[3], 's', version}
    if place == #ARGV and ARGV[4] ~= '' then line[8], line[9] = 'm', ARGV[4] end
    redis.call('XADD', KEYS[2], unpack(line))
end
redis.call('EXPIRE', KEYS[2], ARGV[2])
return {'ok'}
