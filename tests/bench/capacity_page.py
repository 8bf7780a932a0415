"""The runbook's section of capacity: what was measured, kept as JSON, and the text made from it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from tests.bench.capacity import ASSUMED, Assumed, Cost, Costs, Model, Row

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "deploy/capacity.json"
RUNBOOK = ROOT / "deploy/README.md"
BEGIN = "<!-- capacity: written by python -m tests.bench.scale --write -->"
END = "<!-- capacity: end -->"
MACHINES = (1, 10, 1000)


def load(path: Path = MEASURED) -> tuple[Costs, dict[str, Any]]:
    """What was measured, and the facts of the measurement."""
    document = orjson.loads(path.read_bytes())
    costs = {name: Cost(**cost) for name, cost in document["costs"].items()}
    return costs, document["facts"]


def save(costs: Costs, facts: Mapping[str, Any], path: Path = MEASURED) -> None:
    rounded = {
        name: {
            "value": _rounded(cost.value),
            "low": _rounded(cost.low),
            "high": _rounded(cost.high),
            "unit": cost.unit,
            "what": cost.what,
        }
        for name, cost in costs.items()
    }
    document = {"facts": dict(facts), "costs": rounded}
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")


def _rounded(value: float) -> float:
    """Three digits: more were never measured."""
    return float(f"{value:.3g}")


def section(costs: Costs, facts: Mapping[str, Any], assumed: Assumed = ASSUMED) -> str:
    """What stands in the runbook between the marks."""
    return "\n".join(_lines(costs, facts, Model(costs, assumed)))


def _lines(costs: Costs, facts: Mapping[str, Any], model: Model) -> Iterator[str]:
    a, one = model.assumed, model.session()
    yield (
        f"Computed from `capacity.json`: the {facts['run']} run of {facts['date']}, "
        f"{facts['cores']} cores ({facts['processor']}), Python {facts['python']}, "
        f"{facts['redis']}, {facts['nginx']}."
    )
    yield ""
    yield (
        "| Machines | Single verdicts a second | or positions a second, in batches "
        "| or sessions in play | as many with more `STREAMS` | kept by | kept in all "
        "| sent by each machine |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for machines in MACHINES:
        row = model.row(machines)
        yield (
            f"| {machines:,} | {_round(row.verdicts)} | {_round(row.positions)} "
            f"| {_round(row.sessions)} | {_round(row.by_time)} | {_keepers(row)} "
            f"| {_round(row.kept)}: {_round(row.memory / 1e9)} GB | {row.bits / 1e9:.2g} Gbit/s |"
        )
    yield ""
    yield (
        f"Assumed: {a.cores} such cores a machine, a worker for each; {a.headroom:.0%} of "
        f"everything left free; nginx on the same machine; {a.get:.0%} of single verdicts by GET, "
        f"{a.hit:.0%} of those out of the cache; batches of {a.batch:,}; in a session an event "
        f"every {a.between:.0f} s, {a.events} in all, {a.streams} streams; sessions kept for "
        f"{a.kept / 3600:.0f} hours (`SESSION_TTL`), {a.memory / 1e9:.0f} GB in a Redis server, "
        f"replicas not counted; `STREAMS` as it is ({a.worker_streams} a worker); no compression, "
        "no TLS, no rate limits."
    )
    yield ""
    yield (
        f"A verdict of this mix costs {model.verdict():.0f} us of CPU time, a position "
        f"{model.position():.1f} us, a session in play {one.service:.0f} us a second in the "
        f"service, {one.nginx:.0f} in nginx, {one.redis:.1f} in Redis; in a cluster "
        f"{one.shared:.1f} among its masters, and {one.everywhere:.2f} in each of them."
    )
    yield ""
    yield "| Workers on this machine | CPU time a verdict | Verdicts a second |"
    yield "|---|---|---|"
    for one in facts["workers"]:
        yield f"| {one['workers']} | {one['us']} us | {one['per_second']:,} |"
    yield ""
    yield (
        f"All of it, and the clients, on the same {facts['cores']} cores: what saturates is the "
        "machine, and from two workers on they wait for each other. CPU time grows with that."
    )
    yield ""
    yield "| Sessions kept | Service, an event | Redis, an event | One player alone, p50 | p99 |"
    yield "|---|---|---|---|---|"
    for one in facts["kept"]:
        yield (
            f"| {one['sessions']:,} | {one['service_us']} us | {one['redis_us']} us "
            f"| {one['p50_ms']} ms | {one['p99_ms']} ms |"
        )
    yield ""
    yield "| Cost | Median | Spread | |"
    yield "|---|---|---|---|"
    for name, cost in costs.items():
        spread = f"{_figure(cost.low)} .. {_figure(cost.high)}"
        yield f"| `{name}` | {_figure(cost.value)} {cost.unit} | {spread} | {cost.what} |"


def _keepers(row: Row) -> str:
    if not row.clusters:
        return "the Redis on it"
    servers = f"{row.masters} masters" if row.masters > 1 else "one Redis"
    if row.clusters == 1:
        return servers
    return f"{row.clusters} clusters of {servers}"


def _round(number: float) -> str:
    """Two digits: the measurement is no better."""
    return f"{float(f'{number:.2g}'):,.0f}"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def written(runbook: str, costs: Costs, facts: Mapping[str, Any]) -> str:
    """The runbook with the section of these costs between its marks."""
    before, _, rest = runbook.partition(BEGIN)
    _, found, after = rest.partition(END)
    assert found, f"no place for the table: {BEGIN} and {END}"
    return f"{before}{BEGIN}\n{section(costs, facts)}\n{END}{after}"
