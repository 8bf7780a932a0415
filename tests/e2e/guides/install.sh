#!/bin/sh
# What the readers of the guides have at hand.
exec sh "$(dirname "$0")/../../debian.sh" curl:curl jq:jq
