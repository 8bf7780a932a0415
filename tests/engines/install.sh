#!/bin/sh
# install.sh: provides Debian's redis-server, a second engine beside that of pip.
exec sh "$(dirname "$0")/../debian.sh" redis-server:redis-server
