#!/bin/sh
# install.sh: provides a Chromium for the tests: Debian's headless shell, which takes half the time of a browser with
# windows, or else an installed Chromium, or else that of npm. Fails without a browser.
set -eu
cd "$(dirname "$0")/../../tools"
here() {
    for name in "$@"; do
        command -v "$name" > /dev/null && return
    done
    false
}

debian() {
    [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return
    apt-get install -qq -y chromium-headless-shell > /dev/null 2>&1
}

here chromium-headless-shell || debian && exit 0
here chromium chromium-browser google-chrome && exit 0
[ -d node_modules/@sparticuz/chromium ] && exit 0
apt-get update -qq > /dev/null 2>&1 && debian && exit 0
npm install --no-save --silent @sparticuz/chromium@141.0.0 && exit 0
echo "Tests need a browser; install chromium" >&2
exit 1
