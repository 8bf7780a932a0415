-- version, interval of states
return {'ok', past(tonumber(ARGV[1]), tonumber(ARGV[2]))}
