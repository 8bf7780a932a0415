#!/bin/sh
# renew.sh: updates a running server to the users of users.conf, without a restart. Keeps all other users.
#
# The passwords as for users.sh. CLI is the client's command, as the user admin.
set -eu
export REDISCLI_AUTH="$VALKEY_ADMIN_PASSWORD"
cli=${CLI:-redis-cli --user admin}
file=$($cli config get aclfile | tail -n 1)
[ -f "$file" ] || { echo "renew.sh: the server names no file of users" >&2; exit 1; }
users=$($cli acl list)
sh "$(dirname "$0")/users.sh" "$file" > /dev/null
others=$(echo "$users" | awk 'NR == FNR { written[$2]; next } $1 == "user" && !($2 in written)' "$file" -)
[ -z "$others" ] || echo "$others" >> "$file"
[ "$($cli acl load)" = OK ] || { echo "renew.sh: the server does not take its file of users" >&2; exit 1; }
