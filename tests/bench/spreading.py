"""What sessions cost on a cluster of Redis, and what its servers have to tell each other."""

import redis

from tests.bench.capacity import Cost
from tests.bench.keeping import SETTINGS, cost_of, rounds, told
from tests.bench.stateless import Plan, Say
from tests.bench.watch import watched
from tests.engines.servers import ENGINES, Cluster, Node
from tests.server.serving import serving


def measure(plan: Plan, say: Say) -> dict[str, Cost]:
    """The same events on three masters with a replica each."""
    with (
        Cluster(ENGINES[0]) as cluster,
        serving(REDIS_URL=cluster.url, **SETTINGS) as server,
    ):
        pids = {
            "service": [server.process.pid],
            "masters": [node.process.pid for node in cluster.nodes[:3]],
            "replicas": [node.process.pid for node in cluster.nodes[3:]],
        }
        nodes = cluster.nodes
        before = [_bus(node) for node in nodes]
        spent = rounds(pids, plan, server.port)
        sent = sum(_bus(node) - was for node, was in zip(nodes, before, strict=True))
        say(told("events, cluster of three masters", spent) + f"; {sent:,} messages on the bus")
        tell, hear = _hearsay(cluster, plan, say)
    return {
        "cluster_service_event": cost_of(spent, "service", "an event, sessions on a cluster"),
        "cluster_event": cost_of(
            spent, "masters", "Redis: an event, all three masters of a cluster"
        ),
        "cluster_tell": tell,
        "cluster_hear": hear,
    }


def _bus(node: Node) -> int:
    return int(node.ask("CLUSTER INFO")["cluster_stats_messages_sent"])


def _hearsay(cluster: Cluster, plan: Plan, say: Say) -> tuple[Cost, Cost]:
    """What it costs a server to tell another of an event, and that one to hear of it.

    Every server of a cluster is told of everything that is published, whoever listens.
    """
    with Node(ENGINES[0]) as lone:
        speaker, others = cluster.nodes[0], cluster.nodes[1:]
        number = int(20_000 * plan.seconds)
        pids = {"lone": [lone.process.pid], "speaker": [speaker.process.pid]}
        pids["others"] = [node.process.pid for node in others]
        tells, hears = list[float](), list[float]()
        for _ in range(plan.rounds):
            alone = watched(pids, lambda: _publish(lone, number)).cpu["lone"]
            spent = watched(pids, lambda: _publish(speaker, number)).cpu
            tells.append((spent["speaker"] - alone) / len(others))
            hears.append(spent["others"] / len(others))
    tell = Cost.of(tells, "us", "Redis: passing an event on to another server of the cluster")
    hear = Cost.of(hears, "us", "Redis: receiving an event of another server")
    say(f"an event in a cluster: {tell.value:.2f} us to tell, {hear.value:.2f} us to hear of it")
    return tell, hear


def _publish(node: Node, number: int) -> int:
    with redis.Redis(port=node.port, protocol=2) as client:
        for _ in range(number // 500):
            pipe = client.pipeline(transaction=False)
            for _ in range(500):
                pipe.publish("referee:bell:nobody", "1")
            pipe.execute()
    return number
