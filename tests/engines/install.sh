#!/bin/sh
# A second engine for the tests, beside the one that pip brings: Debian's redis-server.
exec sh "$(dirname "$0")/../debian.sh" redis-server:redis-server
