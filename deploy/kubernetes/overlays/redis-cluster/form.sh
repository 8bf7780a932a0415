#!/bin/sh
# form.sh HOST:PORT...: forms a cluster of these nodes, half of them replicas, unless they are a cluster.
# Introduces the nodes of a cluster to each other again: with only new addresses they cannot find each other.
# The password of the user maintenance is in REDISCLI_AUTH.
set -eu
addresses=
for node in "$@"; do
    host=${node%:*} port=${node#*:}
    until valkey-cli --user maintenance -h "$host" -p "$port" ping 2> /dev/null | grep -q PONG; do sleep 1; done
    # CLUSTER MEET needs addresses. The nodes announce their names later.
    addresses="$addresses $(getent hosts "$host" | cut -d ' ' -f 1):$port"
done
if valkey-cli --user maintenance -h "${1%:*}" -p "${1#*:}" cluster info | grep -q cluster_slots_assigned:16384; then
    # Every pair: a replica that hears of its master only from others follows the old address.
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
