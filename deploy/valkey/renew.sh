#!/bin/sh
# renew.sh: gives a running server the users of users.conf, without a restart. Users of your own in its file go.
#
# The passwords as for users.sh. CLI is how the server is asked, by the user admin.
set -eu
export REDISCLI_AUTH="$VALKEY_ADMIN_PASSWORD"
cli=${CLI:-redis-cli --user admin}
file=$($cli config get aclfile | tail -n 1)
[ -f "$file" ] || { echo "renew.sh: the server names no file of users" >&2; exit 1; }
sh "$(dirname "$0")/users.sh" "$file" > /dev/null
[ "$($cli acl load)" = OK ] || { echo "renew.sh: the server does not take its file of users" >&2; exit 1; }
