-- Sends a different request each time: wrk cycles through the lines of a file.
-- Arguments: path, file, number of lines to skip at first, and GET if the lines are queries.

local requests, at = {}, 0

function init(arguments)
    local headers = { ["Content-Type"] = "application/json" }
    for body in io.lines(arguments[2]) do
        if arguments[4] == "GET" then
            requests[#requests + 1] = wrk.format("GET", arguments[1] .. "?" .. body)
        else
            requests[#requests + 1] = wrk.format("POST", arguments[1], headers, body)
        end
    end
    at = tonumber(arguments[3])
end

function request()
    at = at % #requests + 1
    return requests[at]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "microseconds": %d, "failed": %d, "p99": %d, "bytes": %d}\n',
        summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(99), summary.bytes))
end
