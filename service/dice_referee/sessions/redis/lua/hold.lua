-- seat, holder, seconds of the lease, channel, beginning of the message
local before = connected()
local ends = tonumber(ARGV[3]) > 0 and now + tonumber(ARGV[3]) or nil
leases[ARGV[1] .. '/' .. ARGV[2]] = ends
local lines = {}
for lease, last in pairs(leases) do lines[#lines + 1] = lease .. '/' .. string.format('%.0f', last) end
redis.call('HSET', KEYS[1], 'here', table.concat(lines, ' '))
-- Allowed even if PUBLISH is forbidden.
local after = connected()
if after ~= before then redis.pcall('PUBLISH', ARGV[4], ARGV[5] .. after) end
return {'ok'}
