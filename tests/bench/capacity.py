"""How far machines go: a cost model.

``tests.bench.scale`` measures costs, in microseconds of CPU time and in bytes. The rest is
arithmetic; ``ASSUMED`` says what it takes for granted, ``capacity_page`` writes it down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from service.sessions.redis.session_count import EVERY_SECONDS
from service.settings import Settings

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
    kept: int
    """Sessions that are kept, most of them over."""
    memory: float
    """Bytes that these need."""
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
            + self.kept(1) * of["redis_census"] / EVERY_SECONDS
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
        of = self._of
        each = of["session_bytes"] + self.assumed.events * of["session_event_bytes"]
        return self.kept(sessions) * each

    def kept(self, sessions: float) -> float:
        """How many that are."""
        a = self.assumed
        return sessions / (a.between * a.events) * a.kept

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
        kept, memory = int(self.kept(sessions)), self.kept_bytes(sessions)
        bits = max(sent) / machines
        return Row(
            machines,
            verdicts,
            positions,
            sessions,
            int(by_time),
            clusters,
            masters,
            kept,
            memory,
            bits,
        )

    def _clusters(self, sessions: int) -> tuple[int, int]:
        """As few clusters as can be, none of which spends more than half of its time on hearsay."""
        hearsay = self.session().everywhere
        most = SECOND * (1 - self.assumed.headroom) / 2 / hearsay
        number = max(1, ceil(sessions / most))
        return number, self.masters(sessions / number)
