#!/bin/sh
# backup.sh DATA TARGET: copies the append-only file of a running server, whole up to this moment.
#
# DATA is the server's directory, TARGET a new one. For Redis 7 and later, and Valkey, with appendonly yes.
# CLI is how the server is asked, with the password of the user admin in REDISCLI_AUTH.
set -eu
umask 077     # it holds the seeds of running games
cli=${CLI:-redis-cli --user admin}
fail() { echo "backup.sh: $1" >&2; exit 1; }
grow() { [ "$($cli config set auto-aof-rewrite-percentage "$1")" = OK ]; }

[ ! -e "$2" ] || fail "$2 is there already"
# A second one would find rewriting off, and leave it so.
exec 9< "$1"
flock -n 9 || fail "another copy is being made"
growth=$($cli config get auto-aof-rewrite-percentage | tail -n 1)
case $growth in '' | *[!0-9]*) fail "the server does not answer; is REDISCLI_AUTH right?" ;; esac
if [ "$growth" -eq 0 ]; then
    growth=100
    echo "backup.sh: rewriting was off, as a copy leaves it that is killed; it is at 100 again" >&2
fi
half=
finish() {
    # A part is no copy, and would stand in the way of the next by this name.
    [ -z "$half" ] || rm -rf "$half" || :
    grow "$growth"
}
# While the file is rewritten its parts come and go; appending to the last part does no harm.
trap finish EXIT
trap 'exit 1' HUP INT TERM
grow 0 || fail "the server does not stop rewriting its file"
while $cli info persistence | grep -Eq 'aof_rewrite_(in_progress|scheduled):1'; do sleep 1; done
half=$2
mkdir -p "$2"
cp -R "$1/appendonlydir" "$2/"
half=
