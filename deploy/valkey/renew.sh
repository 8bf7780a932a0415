#!/bin/sh
# renew.sh: updates the users of a running server to users.conf, without a restart. Keeps all other users.
# Names on standard error those that it leaves out.
#
# Passwords are those of users.sh. CLI is the client's command for the user admin.
set -eu
export REDISCLI_AUTH="$VALKEY_ADMIN_PASSWORD"
cli=${CLI:-redis-cli --user admin}
file=$($cli config get aclfile | tail -n 1)
[ -f "$file" ] || { echo "renew.sh: the server has no aclfile" >&2; exit 1; }
users=$($cli acl list)
sh "$(dirname "$0")/users.sh" "$file" > /dev/null
awk 'NR == FNR { written[$2]; next } $1 == "user" && !($2 in written) { print "renew.sh: left out, no password: " $2 }' \
    "$file" "$(dirname "$0")/users.conf" >&2
others=$(echo "$users" | awk 'NR == FNR { written[$2]; next } $1 == "user" && !($2 in written)' "$file" -)
[ -z "$others" ] || echo "$others" >> "$file"
[ "$($cli acl load)" = OK ] || { echo "renew.sh: the server refuses its aclfile" >&2; exit 1; }
