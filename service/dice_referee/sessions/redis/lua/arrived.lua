-- hash of a token...
local answer = {'ok', connected()}
for place, token in ipairs(ARGV) do answer[place + 2] = redis.call('HGET', KEYS[1], 'a:' .. token) end
return answer
