"""What happens at once on the server, in Lua that Redis 6.2 and later and Valkey share.

KEYS are some of the session's hash, its log and its streams, see ``USED``; one hash tag, so that a
cluster runs it on one node. Each answers {status, ...}. Types are looked at before anything is
done: a script that fails half way is not rolled back.
"""

USED = {
    "create": (0, 1, 2),
    "read": (0,),
    "write": (0, 1),
    "log": (0, 1),
    "bury": (0, 1, 2),
    "lease": (2,),
    "release": (2,),
    "spend": (),
}
"""Which keys a script gets: no more than it needs. ``spend`` has one of its own.

While a cluster moves a slot it answers for several keys only where all of them are.
"""

_HELD = """
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind == 'none' then return {'missing'} end
if kind ~= 'hash' then return {'damaged'} end
local held = redis.call('HMGET', KEYS[1], 'v', 'doc', 'gone')
if held[3] then return {'gone', held[3]} end
if not (held[1] and held[2]) then return {'damaged'} end
if #held[1] > 9 or not string.match(held[1], '^%d+$') then return {'damaged'} end
"""

_LOGGED = """
local logged = redis.call('TYPE', KEYS[2])['ok']
if logged ~= 'none' and logged ~= 'stream' then return {'damaged'} end
"""

_LEASED = """
local leased = redis.call('TYPE', KEYS[#KEYS])['ok']
if leased ~= 'none' and leased ~= 'zset' then return {'damaged'} end
"""

CREATE = """
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then return {'stale'} end
redis.call('HSET', KEYS[1], 'v', '0', 'doc', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {'ok'}
"""
"""document, ttl"""

READ = (
    _HELD
    + """
return {'ok', held[1], held[2], ARGV[1] and redis.call('HGET', KEYS[1], 'k:' .. ARGV[1])}
"""
)
"""[key]"""

# The log comes before the document: XADD may still refuse. The hash expires first, so that a
# session that is there has its log. Who may not publish has written all the same.
WRITE = (
    _HELD
    + """
if held[1] ~= ARGV[1] then return {'stale'} end
if ARGV[7] and redis.call('HEXISTS', KEYS[1], 'k:' .. ARGV[7]) == 1 then return {'stale'} end
"""
    + _LOGGED
    + """
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= ARGV[1] .. '-0' then return {'damaged'} end
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'e', ARGV[4])
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'doc', ARGV[3])
if ARGV[7] then redis.call('HSET', KEYS[1], 'k:' .. ARGV[7], ARGV[8]) end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.pcall('PUBLISH', ARGV[6], ARGV[2])
return {'ok'}
"""
)
"""expected, next, document, entry, ttl, channel, [key, record]"""

LOG = (
    _HELD
    + _LOGGED
    + """
return {'ok', held[1], redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])}
"""
)
"""first, most"""

BURY = (
    _HELD
    + """
if held[1] ~= ARGV[1] then return {'stale'} end
"""
    + _LOGGED
    + _LEASED
    + """
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'gone', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], 'gone')
return {'ok'}
"""
)
"""expected, tombstone, ttl, channel"""

LEASE = (
    _LEASED
    + """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1])
    and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return {'ok', 0} end
redis.call('ZADD', KEYS[1], now + ARGV[3] * 1000, ARGV[1])
if redis.call('TTL', KEYS[1]) < tonumber(ARGV[3]) then
    redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return {'ok', 1}
"""
)
"""member, most, seconds"""

RELEASE = (
    _LEASED
    + """
redis.call('ZREM', KEYS[1], ARGV[1])
return {'ok'}
"""
)
"""member"""

# As ``Rate.take`` in http/rates.py, by the clock of the server: whole microseconds, which a double
# holds exactly. The key goes when nothing is owed any more.
SPEND = """
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind ~= 'none' and kind ~= 'string' then return {'damaged'} end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local step = math.max(math.floor(ARGV[3] / limit), 1)
local whole = step * limit
local held = redis.call('GET', KEYS[1])
local owed = 0
if held and #held < 17 and string.match(held, '^%d+$') then owed = tonumber(held) - now end
-- Written down even if nothing is spent: else it would be as much the next time.
local lowered = owed > whole
owed = math.min(math.max(owed, 0), whole)
local spent = math.min(most, math.floor((whole - owed) / step))
if spent > 0 or lowered then
    owed = owed + spent * step
    local due = string.format('%.0f', now + owed)
    redis.call('SET', KEYS[1], due, 'PX', math.ceil(owed / 1000))
end
return {'ok', spent, owed}
"""
"""limit, most, microseconds of a minute"""
