#!/bin/sh
# A Chromium for the tests: the one that is here, else Debian's as root, else npm's. Without one its
# tests are left out; where CI=true that is an error.
set -eu
cd "$(dirname "$0")/../../tools"
for name in chromium chromium-browser google-chrome; do
    command -v "$name" > /dev/null && exit 0
done
[ -d node_modules/@sparticuz/chromium ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get update -qq && apt-get install -qq -y chromium > /dev/null && exit 0
fi
npm install --no-save --silent @sparticuz/chromium@141.0.0 && exit 0
echo "LEFT OUT are the tests that need a browser; to run them, install chromium" >&2
[ "${CI:-}" != true ]
