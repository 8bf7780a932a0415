#!/bin/sh
# start.sh OPTION...: valkey-server with these options and the users of users.sh, in a container.
set -eu
umask 077
users=$(mktemp)     # /tmp is in memory
sh "$(dirname "$0")/users.sh" > "$users"
unset VALKEY_PASSWORD VALKEY_ADMIN_PASSWORD
exec valkey-server "$users" "$@"
