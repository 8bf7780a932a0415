#!/bin/sh
# What the tests of deploy/ run for real: Debian's nginx-light and promtool, installed but never
# started. Who cannot install them installs them by hand: nothing here is skipped.
set -eu
missing=
command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] || missing="nginx-light"
command -v promtool > /dev/null || missing="$missing prometheus"
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
