#!/bin/sh
# form.sh HOST:PORT...: forms a cluster of these nodes, half of them replicas. Introduces the nodes of an existing
# cluster to each other again: after a change of all addresses they cannot find each other.
# REDISCLI_AUTH is the password of the user maintenance.
set -eu
addresses=
for node in "$@"; do
    host=${node%:*} port=${node#*:}
    until valkey-cli --user maintenance -h "$host" -p "$port" ping 2> /dev/null | grep -q PONG; do sleep 1; done
    # CLUSTER MEET requires addresses. The nodes announce their names later.
    addresses="$addresses $(getent hosts "$host" | cut -d ' ' -f 1):$port"
done
if valkey-cli --user maintenance -h "${1%:*}" -p "${1#*:}" cluster info | grep -q cluster_slots_assigned:16384; then
    # Introduces every pair: a replica that hears of its master only from other nodes follows the old address.
    for node in $addresses; do
        for peer in $addresses; do
            valkey-cli --user maintenance -h "${node%:*}" -p "${node#*:}" cluster meet "${peer%:*}" "${peer#*:}" > /dev/null
        done
    done
    echo "there is a cluster"
    exit 0
fi
# shellcheck disable=SC2086
exec valkey-cli --user maintenance --cluster create $addresses --cluster-replicas 1 --cluster-yes
