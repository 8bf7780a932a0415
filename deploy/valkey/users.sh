#!/bin/sh
# Prints users.conf with the passwords that are in VALKEY_PASSWORD (the service's, and the replicas')
# and VALKEY_ADMIN_PASSWORD (the operators'): lines for the configuration of Redis or Valkey.
set -eu
for password in "$VALKEY_PASSWORD" "$VALKEY_ADMIN_PASSWORD"; do
    case $password in
        '' | *[!0-9A-Za-z_-]*) echo "users.sh: a password has letters, digits, - and _" >&2 && exit 1 ;;
    esac
done
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
sed "s/#SERVICE/#$(digest "$VALKEY_PASSWORD")/; s/#ADMIN/#$(digest "$VALKEY_ADMIN_PASSWORD")/" \
    "$(dirname "$0")/users.conf"
printf 'masteruser replica\nmasterauth %s\n' "$VALKEY_PASSWORD"
