#!/bin/sh
# install.sh: provides the programs that the guides use: curl and jq.
exec sh "$(dirname "$0")/../../debian.sh" curl:curl jq:jq
