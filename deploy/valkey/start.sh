#!/bin/sh
# start.sh OPTION...: starts valkey-server in a container, with these options and the users of users.sh.
set -eu
umask 077
home=$(mktemp -d)     # /tmp is in memory
sh "$(dirname "$0")/users.sh" "$home/users.acl" > "$home/valkey.conf"
unset VALKEY_PASSWORD VALKEY_ADMIN_PASSWORD VALKEY_BACKUP_PASSWORD VALKEY_EXPORTER_PASSWORD
exec valkey-server "$home/valkey.conf" "$@"
