#!/bin/sh
# prune.sh COPIES: removes old copies. Keeps the newest KEEP_COPIES (default 24), and the last copy of each of the newest
# KEEP_DAYS (default 7) days. Copies are directories named by their time, such as 2026-11-22-1200. Ignores other files.
set -eu
cd "$1"
for copy in *; do
    case $copy in
        [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9][0-9]) echo "$copy" ;;
    esac
done | sort -r | awk -v copies="${KEEP_COPIES:-24}" -v days="${KEEP_DAYS:-7}" '
    { last = substr($0, 1, 10) != day; day = substr($0, 1, 10); number += last }
    NR > copies && !(last && number <= days)
' | while read -r copy; do rm -rf "./$copy"; done
