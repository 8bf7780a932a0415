-- Returns the version and state of the last line with a state up to a version, and the entries of the
-- lines after it. A write stores a state at least where it passes a multiple of the interval.
local function past(last, interval)
    local version, state, entries = 0, '', {}
    for _, line in ipairs(redis.call('XRANGE', KEYS[2], last - last % interval .. '-0', last .. '-0')) do
        local fields = line[2]
        if fields[8] then
            version, state, entries = tonumber(string.match(line[1], '^%d+')), fields[8], {}
        else
            entries[#entries + 1] = fields[2]
        end
    end
    return version, state, entries
end
