"""How far machines go: the cost model, and the runbook's table of capacity that follows from it.

``deploy/capacity.json`` holds what ``tests.bench.scale`` has measured: costs in microseconds of CPU
time, and bytes. The rest is arithmetic; ``ASSUMED`` says what it takes for granted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "deploy/capacity.json"
RUNBOOK = ROOT / "deploy/README.md"
BEGIN = "<!-- capacity: written by python -m tests.bench.scale --write -->"
END = "<!-- capacity: end -->"

SECOND = 1e6
"""Microseconds."""


@dataclass(frozen=True)
class Cost:
    """A figure of the model: the median of its measurements, and how far they lay apart."""

    value: float
    low: float
    high: float
    unit: str
    what: str

    @classmethod
    def of(cls, measured: Sequence[float], unit: str, what: str) -> "Cost":
        return cls(median(measured), min(measured), max(measured), unit, what)


Costs = Mapping[str, Cost]


def line_through(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the line of least squares through these points begins, and how steep it is."""
    number = len(points)
    x, y = sum(x for x, _ in points) / number, sum(y for _, y in points) / number
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return y - slope * x, slope


@dataclass(frozen=True)
class Assumed:
    """What nobody has measured: the machines, and what people do."""

    cores: int = 8
    """Of a machine, as fast as those of the measurement."""
    headroom: float = 0.5
    """The share of every resource that is left free."""
    link: float = 10e9
    """Bits a second that a machine sends."""
    get: float = 0.5
    """The share of single verdicts that are asked by GET."""
    hit: float = 0.9
    """The share of those that the cache answers."""
    batch: int = 1000
    """Positions in a batch."""
    between: float = 5.0
    """Seconds from one event of a session to the next."""
    events: int = 60
    """Events of a session until nobody plays on."""
    streams: int = 2
    """Streams that follow a session."""
    kept: int = 86_400
    """Seconds that a session is kept: ``SESSION_TTL``, here a day."""
    memory: float = 32e9
    """Bytes of memory of a Redis server."""
    worker_streams: int = Settings().streams
    """What a worker holds, one worker a core."""


ASSUMED = Assumed()
MACHINES = (1, 10, 1000)


@dataclass(frozen=True)
class Session:
    """What a session in play costs in a second, in microseconds."""

    service: float
    farther: float
    """What the service has besides where the sessions are on a cluster."""
    nginx: float
    redis: float
    """Where there is one Redis."""
    shared: float
    """Of a cluster, what its masters have of it among them."""
    everywhere: float
    """Of a cluster, what each master has of it, however many there are: the hearsay."""
    bits: float


@dataclass(frozen=True)
class Row:
    """So many machines, doing one thing only."""

    machines: int
    verdicts: float
    """Single verdicts a second."""
    positions: float
    """Positions a second in batches."""
    sessions: int
    """Sessions in play at the same time, ``STREAMS`` being what it is."""
    by_time: int
    """As many as there is CPU time for, if ``STREAMS`` is raised."""
    clusters: int
    """Redis clusters that keep them; 0: the one server is on the machine itself."""
    masters: int
    """Servers of each cluster, replicas aside."""
    memory: float
    """Bytes of all sessions that are kept."""
    bits: float
    """Bits a second that each machine sends, at most."""


class Model:
    """The costs, put to use."""

    def __init__(self, costs: Costs, assumed: Assumed = ASSUMED) -> None:
        self._of = {name: cost.value for name, cost in costs.items()}
        self.assumed = assumed

    def verdict(self) -> float:
        """Microseconds of a single verdict, service and nginx together."""
        of, a = self._of, self.assumed
        asked = of["service_post"] + of["nginx_pass"]
        missed = of["service_get"] + of["nginx_miss"]
        return (1 - a.get) * asked + a.get * (a.hit * of["nginx_hit"] + (1 - a.hit) * missed)

    def position(self) -> float:
        """Microseconds of a position in a batch."""
        of, size = self._of, self.assumed.batch
        own = of["service_batch"] / size + of["service_position"]
        return own + of["nginx_pass"] / size + of["nginx_position"]

    def session(self) -> Session:
        """What a session in play costs in a second."""
        of, a = self._of, self.assumed
        events, begun = 1 / a.between, 1 / (a.between * a.events)
        heard = events * a.streams
        redis = (
            events * of["redis_event"]
            + begun * of["redis_create"]
            + heard * of["redis_delivery"]
            + a.streams * of["redis_stream"]
        )
        return Session(
            service=events * of["service_event"]
            + begun * of["service_create"]
            + heard * of["service_delivery"]
            + a.streams * of["service_stream"],
            farther=events * max(0.0, of["cluster_service_event"] - of["service_event"]),
            nginx=(events + begun) * of["nginx_event"] + heard * of["nginx_delivery"],
            redis=redis,
            # Measured with three masters and a replica each: one tells five and two hear of it.
            # With M masters one tells 2 M - 1 and M - 1 hear; a master has an M-th of the events.
            shared=redis
            + events * (of["cluster_event"] - of["redis_event"])
            - events * (6 * of["cluster_tell"] + 3 * of["cluster_hear"]),
            everywhere=events * (2 * of["cluster_tell"] + of["cluster_hear"]),
            bits=8 * (events * of["event_bytes"] + heard * of["delivery_bytes"]),
        )

    def kept_bytes(self, sessions: float) -> float:
        """Memory of all sessions that are kept while so many are in play."""
        of, a = self._of, self.assumed
        begun = sessions / (a.between * a.events)
        return begun * a.kept * (of["session_bytes"] + a.events * of["session_event_bytes"])

    def masters(self, sessions: float) -> int:
        """Servers that a cluster needs to keep these in play; 0 if no number of them is enough."""
        a, session = self.assumed, self.session()
        free = SECOND * (1 - a.headroom)
        by_time = 1
        if sessions * session.redis > free:
            left = free - sessions * session.everywhere
            if left <= 0:
                return 0
            by_time = ceil(sessions * session.shared / left)
        return max(by_time, ceil(self.kept_bytes(sessions) / (a.memory * (1 - a.headroom))))

    def row(self, machines: int) -> Row:
        """What so many machines do; beyond one, Redis has machines of its own."""
        a, session = self.assumed, self.session()
        core = SECOND * (1 - a.headroom)
        free = machines * a.cores * core
        verdicts, positions = free / self.verdict(), free / self.position()
        cost = session.service + session.nginx
        if machines == 1:
            by_time = min(free / (cost + session.redis), core / session.redis)
        else:
            by_time = free / (cost + session.farther)
        streams = machines * a.cores * a.worker_streams * (1 - a.headroom)
        sessions = int(min(by_time, streams / a.streams))
        clusters, masters = (0, 1) if machines == 1 else self._clusters(sessions)
        sent = (
            verdicts * self._of["verdict_bytes"] * 8,
            positions * self._of["position_bytes"] * 8,
            sessions * session.bits,
        )
        memory = self.kept_bytes(sessions)
        bits = max(sent) / machines
        return Row(
            machines,
            verdicts,
            positions,
            sessions,
            int(by_time),
            clusters,
            masters,
            memory,
            bits,
        )

    def _clusters(self, sessions: int) -> tuple[int, int]:
        """As few clusters as can be, none of which spends more than half of its time on hearsay."""
        hearsay = self.session().everywhere
        most = SECOND * (1 - self.assumed.headroom) / 2 / hearsay
        number = max(1, ceil(sessions / most))
        return number, self.masters(sessions / number)


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
        "| or sessions in play | as many with more `STREAMS` | kept by | in memory "
        "| sent by each machine |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for machines in MACHINES:
        row = model.row(machines)
        yield (
            f"| {machines:,} | {_round(row.verdicts)} | {_round(row.positions)} "
            f"| {_round(row.sessions)} | {_round(row.by_time)} | {_keepers(row)} "
            f"| {row.memory / 1e9:,.1f} GB | {row.bits / 1e9:.2g} Gbit/s |"
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
        f"All of it, and who asks, on the same {facts['cores']} cores: what saturates is the "
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
