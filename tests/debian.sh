#!/bin/sh
# debian.sh PROGRAM:PACKAGE...: provides missing programs of Debian for the tests. Installs packages as root, without
# starting daemons. Other users get the unpacked packages below .venv/debian, with the programs in .venv/debian/bin.
# Lists the programs that remain missing, and fails.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)/.venv/debian
PATH="$PATH:/usr/sbin:/usr/local/sbin:$here/bin"

lacking() {
    for pair in "$@"; do
        command -v "${pair%:*}" > /dev/null || printf '%s ' "$pair"
    done
}

install_as_root() {
    # Debian's packages run this program before they start a daemon; status 101 forbids the start.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' > "$policy"
        chmod +x "$policy"
    fi
    apt-get update -qq && apt-get install -qq -y --no-install-recommends $packages > /dev/null
}

unpack() {
    mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/bin"
    cd "$here"
    own="-qq -o Dir::State::Lists=$here/lists -o Dir::Cache=$here/cache -o Debug::NoLocking=1"
    apt-get $own update || return
    # Lists the packages that an installation would add, including dependencies.
    wanted=$(apt-get $own --simulate --no-install-recommends install $packages | sed -n 's/^Inst \([^ ]*\).*/\1/p')
    [ -n "$wanted" ] && apt-get $own download $wanted || return
    for file in *.deb; do
        dpkg-deb --extract "$file" .
        rm "$file"
    done
    # A JDK links to its configuration by absolute paths, which are redirected to the unpacked files.
    find usr -type l -lname '/etc/*' | while read -r link; do
        [ -e "$here$(readlink "$link")" ] && ln -sfn "$here$(readlink "$link")" "$link"
    done
    libraries=$(find "$here/usr/lib" "$here/lib" -name '*.so.*' -exec dirname {} + 2> /dev/null | sort -u | paste -s -d: -)
    for pair in $missing; do
        name=${pair%:*}
        for place in usr/sbin usr/bin usr/lib/jvm/*/bin; do
            [ -x "$place/$name" ] || continue
            printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$here/$place/$name" > "bin/$name"
            chmod +x "bin/$name"
        done
    done
}

missing=$(lacking "$@")
[ -n "$missing" ] || exit 0
packages=$(printf '%s\n' $missing | cut -d: -f2 | sort -u)
export DEBIAN_FRONTEND=noninteractive
if command -v apt-get > /dev/null; then
    if [ "$(id -u)" = 0 ]; then install_as_root; else (unpack); fi || :
fi
missing=$(lacking "$@")
[ -n "$missing" ] || exit 0
echo "Tests need these programs, as PROGRAM:PACKAGE of Debian; install them:" $missing >&2
exit 1
