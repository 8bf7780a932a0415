#!/bin/sh
# fetch.sh COPIES HOST...: copies the data of each of these servers over the network, and removes old copies.
#
# Skips replicas, unless only a single HOST is given. Stores the appendonlydir of each HOST in COPIES/2026-11-22-1200/HOST,
# with a snapshot as the base of the append-only file. Requires Redis 7 or Valkey. CLI is the client's command,
# REDISCLI_AUTH the password of the user backup.
set -eu
umask 077     # copies contain the seeds of running games
cli=${CLI:-valkey-cli --user backup}
copies=$1
shift
copy="$copies/$(date -u +%F-%H%M)"
[ ! -e "$copy" ] || { echo "fetch.sh: $copy is there already" >&2; exit 1; }
half="$copies/half"     # an earlier run leaves it behind if killed
rm -rf "$half"
trap 'rm -rf "$half"' EXIT
trap 'exit 1' HUP INT TERM
for host in "$@"; do
    role=$($cli -h "$host" info replication | tr -d '\r' | sed -n 's/^role://p')
    case $role in
        master) ;;
        slave) [ $# -eq 1 ] || continue ;;
        *) echo "fetch.sh: $host does not answer; is REDISCLI_AUTH right?" >&2; exit 1 ;;
    esac
    file="$half/$host/appendonlydir/appendonly.aof"
    mkdir -p "${file%/*}"
    $cli -h "$host" --rdb "$file.1.base.rdb"
    echo "file appendonly.aof.1.base.rdb seq 1 type b" > "$file.manifest"
done
[ -d "$half" ] || { echo "fetch.sh: no server is a master" >&2; exit 1; }
mv "$half" "$copy"
sh "$(dirname "$0")/prune.sh" "$copies"
