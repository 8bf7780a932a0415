-- first, most
-- The versions of a log are consecutive, so the first determines all.
local lines = redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])
local entries, first = {}, 0
for number, line in ipairs(lines) do
    local version = tonumber(string.match(line[1], '^(%d+)-0$'))
    if number == 1 then first = version end
    if not version or version ~= first + number - 1 then return {'damaged'} end
    entries[number] = line[2][2]
end
return {'ok', held[1], first, entries, connected()}
