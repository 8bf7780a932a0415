-- version, interval of states
local function line(version) return redis.call('XRANGE', KEYS[2], version .. '-0', version .. '-0')[1] end
local function kept(version)
    if version == 0 then return 0 end
    local found = line(version)
    return found and tonumber(found[2][6])
end
local last = kept(tonumber(ARGV[1]))
if last == 0 then return {'ok', last} end
local found = last and line(last)
local before = found and kept(last - 1)
if not before then return {'damaged'} end
return {'ok', last, found[2][2], before, past(last - 1, tonumber(ARGV[2]))}
