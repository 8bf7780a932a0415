#!/bin/sh
# What the tests of deploy/ run for real: Debian's nginx-light, promtool, redis-cli and
# systemd-analyze; nothing is started. Who is not root installs them by hand: nothing is skipped.
set -eu
missing=
for pair in nginx:nginx-light promtool:prometheus redis-cli:redis-tools systemd-analyze:systemd; do
    command -v "${pair%:*}" > /dev/null || [ -x "/usr/sbin/${pair%:*}" ] || missing="$missing ${pair#*:}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "the tests of deploy/ need these on PATH, please install them: $missing" >&2
    exit 1
fi
# What Debian's packages ask before they start a daemon; 101 forbids it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' > "$policy"
    chmod +x "$policy"
fi
apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing > /dev/null
