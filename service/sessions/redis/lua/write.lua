-- expected, next, document, entry, ttl, channel, nonce, [key, record]
-- The log comes before the document: XADD may still refuse. The hash expires first, so that a
-- session that is there has its log. PUBLISH may be forbidden; the write counts all the same. A line
-- with the nonce of this write is this write: its answer was lost, and the client sent it again.
if held[1] ~= ARGV[1] then
    local at = ARGV[2] .. '-0'
    local line = redis.call('XRANGE', KEYS[2], at, at)[1]
    return {line and line[2][4] == ARGV[7] and 'ok' or 'stale'}
end
if ARGV[8] and redis.call('HEXISTS', KEYS[1], 'k:' .. ARGV[8]) == 1 then return {'stale'} end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= ARGV[1] .. '-0' then return {'damaged'} end
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'e', ARGV[4], 'n', ARGV[7])
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'doc', ARGV[3])
if ARGV[8] then redis.call('HSET', KEYS[1], 'k:' .. ARGV[8], ARGV[9]) end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.pcall('PUBLISH', ARGV[6], ARGV[2])
return {'ok'}
