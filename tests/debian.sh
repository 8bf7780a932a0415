#!/bin/sh
# Programs of Debian's for the tests: debian.sh PROGRAM:PACKAGE ... brings those that are missing.
# As root they are installed, and nothing is started. Else they are unpacked below .venv/debian,
# which needs no root, and stand in .venv/debian/bin.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)/.venv/debian
PATH="$PATH:/usr/sbin:/usr/local/sbin:$here/bin"
missing=
for pair in "$@"; do
    command -v "${pair%:*}" > /dev/null || missing="$missing $pair"
done
[ -n "$missing" ] || exit 0
packages=$(printf '%s\n' $missing | cut -d: -f2 | sort -u)
if ! command -v apt-get > /dev/null; then
    echo "the tests need these programs, please install them:" $missing >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive

if [ "$(id -u)" = 0 ]; then
    # What Debian's packages ask before they start a daemon; 101 forbids it.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' > "$policy"
        chmod +x "$policy"
    fi
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends $packages > /dev/null
    exit 0
fi

mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/bin"
cd "$here"
own="-qq -o Dir::State::Lists=$here/lists -o Dir::Cache=$here/cache -o Debug::NoLocking=1"
apt-get $own update
# What would be installed with them, for what is here already need not be brought.
wanted=$(apt-get $own --simulate --no-install-recommends install $packages | sed -n 's/^Inst \([^ ]*\).*/\1/p')
apt-get $own download $wanted
for file in *.deb; do
    dpkg-deb --extract "$file" .
    rm "$file"
done
libraries=$(find "$here/usr/lib" "$here/lib" -name '*.so.*' -exec dirname {} + 2> /dev/null | sort -u | paste -s -d: -)
for pair in $missing; do
    name=${pair%:*}
    for place in usr/sbin usr/bin; do
        [ -x "$place/$name" ] || continue
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$here/$place/$name" > "bin/$name"
        chmod +x "bin/$name"
    done
    [ -x "bin/$name" ] || { echo "the tests need $name, please install it" >&2; exit 1; }
done
