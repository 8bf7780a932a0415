#!/bin/sh
# users.sh FILE: writes the users of users.conf into FILE, with the passwords in VALKEY_PASSWORD (service and replicas),
# VALKEY_ADMIN_PASSWORD, VALKEY_BACKUP_PASSWORD and VALKEY_EXPORTER_PASSWORD. The last two are optional: without a
# password it omits the user. Prints the lines of configuration for FILE.
#
# Users need a file of their own: CONFIG REWRITE, which Sentinel runs at every failover, copies users from an included
# file into redis.conf, and a server with a duplicate user does not start.
set -eu
backup=${VALKEY_BACKUP_PASSWORD:-} exporter=${VALKEY_EXPORTER_PASSWORD:-}
for password in "$VALKEY_PASSWORD" "$VALKEY_ADMIN_PASSWORD" "${backup:-none}" "${exporter:-none}"; do
    case $password in
        '' | *[!0-9A-Za-z_-]*) echo "users.sh: a password has letters, digits, - and _" >&2 && exit 1 ;;
    esac
done
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
# The file must not contain comments.
sed "/^user /!d; s/#SERVICE/#$(digest "$VALKEY_PASSWORD")/; s/#ADMIN/#$(digest "$VALKEY_ADMIN_PASSWORD")/
    ${backup:+s/#BACKUP/#$(digest "$backup")/}; ${exporter:+s/#EXPORTER/#$(digest "$exporter")/}; /#[A-Z]/d" \
    "$(dirname "$0")/users.conf" > "$1"
printf 'aclfile %s\nmasteruser replica\nmasterauth %s\n' "$1" "$VALKEY_PASSWORD"
