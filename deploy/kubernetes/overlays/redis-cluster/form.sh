#!/bin/sh
# form.sh HOST:PORT...: makes one cluster of these nodes, half of them replicas, unless they are one.
# Nodes that are one are introduced anew: if all have new addresses, none finds another by itself.
# The password of the user maintenance is in REDISCLI_AUTH.
set -eu
addresses=
for node in "$@"; do
    host=${node%:*} port=${node#*:}
    until valkey-cli --user maintenance -h "$host" -p "$port" ping 2> /dev/null | grep -q PONG; do sleep 1; done
    # Nodes are introduced by address; what they announce later is their name.
    addresses="$addresses $(getent hosts "$host" | cut -d ' ' -f 1):$port"
done
if valkey-cli --user maintenance -h "${1%:*}" -p "${1#*:}" cluster info | grep -q cluster_slots_assigned:16384; then
    # Each to each: a replica that hears of its master from others follows the old address.
    for one in $addresses; do
        for other in $addresses; do
            valkey-cli --user maintenance -h "${one%:*}" -p "${one#*:}" cluster meet "${other%:*}" "${other#*:}" > /dev/null
        done
    done
    echo "there is a cluster"
    exit 0
fi
# shellcheck disable=SC2086
exec valkey-cli --user maintenance --cluster create $addresses --cluster-replicas 1 --cluster-yes
