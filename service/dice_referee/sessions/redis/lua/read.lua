-- [key]
-- A record ends with the version of the last entry of its change. The hash has its moment too.
local record = ARGV[1] and redis.call('HGET', KEYS[1], 'k:' .. ARGV[1])
local last = record and string.match(record, '%d+$')
return {'ok', held[1], held[2], record, last and redis.call('HGET', KEYS[1], 'm:' .. last)}
