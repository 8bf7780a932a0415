#!/bin/sh
# install.sh: provides the programs that the tests of deploy/ run: nginx, promtool, redis-cli and systemd-analyze.
exec sh "$(dirname "$0")/../../debian.sh" \
    nginx:nginx-light promtool:prometheus redis-cli:redis-tools systemd-analyze:systemd
