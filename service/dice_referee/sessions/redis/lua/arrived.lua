-- hash of a token...
local answer = {'ok'}
for place, token in ipairs(ARGV) do answer[place + 1] = redis.call('HGET', KEYS[1], 'a:' .. token) end
return answer
