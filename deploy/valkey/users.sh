#!/bin/sh
# users.sh FILE: writes the users of users.conf into FILE, with the passwords in VALKEY_PASSWORD (the service's,
# and the replicas') and VALKEY_ADMIN_PASSWORD (the operators'). Prints the lines of configuration that go with it.
#
# Users need a file of their own: those in a file that redis.conf includes are written into redis.conf too by a CONFIG
# REWRITE, as Sentinel does one at every failover, and a server that finds a user twice does not start.
set -eu
for password in "$VALKEY_PASSWORD" "$VALKEY_ADMIN_PASSWORD"; do
    case $password in
        '' | *[!0-9A-Za-z_-]*) echo "users.sh: a password has letters, digits, - and _" >&2 && exit 1 ;;
    esac
done
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
# Such a file has no comments.
sed "/^user /!d; s/#SERVICE/#$(digest "$VALKEY_PASSWORD")/; s/#ADMIN/#$(digest "$VALKEY_ADMIN_PASSWORD")/" \
    "$(dirname "$0")/users.conf" > "$1"
printf 'aclfile %s\nmasteruser replica\nmasterauth %s\n' "$1" "$VALKEY_PASSWORD"
