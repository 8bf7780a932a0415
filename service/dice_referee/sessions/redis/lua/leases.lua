-- Leases of seats that have not ended, by "<seat>/<holder>", in seconds of the server's clock.
local now = tonumber(redis.call('TIME')[1])
local leases = {}
for lease, ends in string.gmatch(redis.call('HGET', KEYS[1], 'here') or '', '(%d+/%w+)/(%d+)') do
    if tonumber(ends) > now then leases[lease] = tonumber(ends) end
end
-- Returns the seats that have a lease, in an order that does not depend on the leases.
local function connected()
    local seats, known = {}, {}
    for lease in pairs(leases) do
        local seat = string.match(lease, '^%d+')
        if not known[seat] then known[seat], seats[#seats + 1] = true, seat end
    end
    table.sort(seats)
    return table.concat(seats, ' ')
end
