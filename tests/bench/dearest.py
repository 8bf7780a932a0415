"""CPU time of a process that a minute's permits of a client address buy.

Sends the most expensive requests of each route in this process. Compares the CPU time that their
permits buy in a minute with 200,000 adjudications in the same run. Only the health routes are
unlimited. Then measures the waits of a client at a worker while another address sends all kinds at
once, or equally many adjudications. Run from the project's root: ``python -m tests.bench.dearest
[--all] [--quick]``. Prints the most expensive requests, and ends with status 1 if a route has no
case or a bar is exceeded. ``--quick`` is too short to judge the bars.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import chain, product
from math import inf
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from statistics import quantiles
from typing import Any, NamedTuple

import orjson

from dice_referee.api.message import Body, Request
from dice_referee.api.pipeline import answer, begin
from dice_referee.api.routing import Match, Router
from dice_referee.api.services import Services
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.limits.counters import MINUTE, LocalCounter, RateLimitKey, RateLimitStatus
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.bots import Level
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.replay import state_of
from dice_referee.sessions.session import decode
from dice_referee.settings import Settings
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.bench.dearest_cases import (
    DearRequest,
    catalogue_cases,
    field_cases,
    page_cases,
    session_cases,
    table_cases,
    verdicts,
)
from tests.bench.positions import positions
from tests.engines.servers import ENGINES, Single
from tests.wire import serving

BAR = 200_000
"""Adjudications whose CPU time is the unit for the CPU time of an address in a minute."""
MOST = 1.2
"""Maximum CPU time of an address in a minute, in that unit."""
UNLIMITED = {"/livez", "/readyz"}
SHOWN = 10
PEER = "203.0.113.7"
BAR_MS, BAR_RATIO = 50.0, 3.0
"""Maximum p99 of another client in ms, and its maximum ratio to that beside adjudications."""
SLICES, QUICK_SLICES = 8, 1
SECONDS, SETTLING, PAUSE = 3.0, 0.5, 0.02
"""Seconds of a slice, of its warm-up, which does not count, and between two questions."""
DEAR = ("batch of odds", "batch ", "review", "audit", "table", "comparison", "verify")
"""Kinds of requests that the other address sends, two cases of each."""


class Plan(NamedTuple):
    """Effort for each case."""

    seconds: float
    """Minimum CPU seconds for which a request is repeated."""
    times: int
    """Minimum number of times that a request is sent."""
    moves: int
    """Moves of a session with bots that are timed together."""


FULL, QUICK = Plan(0.2, 2, 60), Plan(0.0, 1, 1)


class Price(NamedTuple):
    """A case, its CPU time in seconds, and the number of its requests that a minute allows."""

    name: str
    seconds: float
    a_minute: float
    policy: str

    def __str__(self) -> str:
        price = f"{self.a_minute:,.0f} x {1000 * self.seconds:.2f} ms ({self.policy})"
        return f"{self.bought:7.2f} s  {self.name}: {price}"

    @property
    def bought(self) -> float:
        """CPU seconds of a minute's permits."""
        return self.seconds * self.a_minute


class DebtMeter(LocalCounter):
    """Allows every request and records the debt of each limit."""

    def __init__(self) -> None:
        super().__init__()
        self.owed: dict[RateLimitKey, int] = {}

    def count(self, key: RateLimitKey) -> RateLimitStatus:
        return self.charge(key, key.step)

    def charge(self, key: RateLimitKey, cost: int, minutes: int = 2) -> RateLimitStatus:
        self.owed[key] = self.owed.get(key, 0) + cost
        return RateLimitStatus(key.policy, key.limit, True, key.limit, 0)


class PricedService:
    """The service in this process, with recorded debts."""

    def __init__(self, store: RedisStore, plan: Plan) -> None:
        self.settings = Settings(rate_loopback=True, rate_sessions=0)
        app = create_app(self.settings, store)
        self.services: Services = app.extensions["dice-referee"].services
        self.store, self.meter = store, DebtMeter()
        self._plan = plan
        self.services.limiter.counter = self.meter
        self._router = Router(app)
        routes = {(m, rule.rule) for rule in app.url_map.iter_rules() for m in rule.methods or ()}
        self.uncovered = {
            (method, route)
            for method, route in routes
            if method != "HEAD" and route not in UNLIMITED
        }
        """Methods and limited routes without a case."""

    def match(self, case: DearRequest) -> Match:
        """Finds the route of a case, which is covered from then on."""
        match = self._router.find(case.method, case.path)
        self.uncovered.discard((case.method, match.route))
        return match

    def ask(self, case: DearRequest) -> tuple[int, bytes]:
        """Returns the status and the whole body of the answer."""
        match = self.match(case)
        body = case.body()
        headers = {b"content-type": b"application/json", **case.headers}
        query, known = case.query.encode(), (*match, self.services)
        request = Request(case.method, case.path, query, headers, PEER, *known)
        begin(request)
        request.body = Body(body, len(body))
        reply = answer(request)
        content = reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
        return reply.status, content

    def answer(self, method: str, path: str, document: Any = None, token: str = "") -> Any:
        """Returns the JSON of an answer. Expects no refusal."""
        headers = {b"authorization": f"Bearer {token}".encode()} if token else {}
        status, body = self.ask(DearRequest("", method, path, document, headers=headers))
        assert status < 400, (status, body)
        return orjson.loads(body)

    def row(self, case: DearRequest) -> Price:
        """Repeats a request until the clock is fine enough, and returns the lowest price."""
        best, total, times = inf, 0.0, 0
        while total < self._plan.seconds * case.effort or times < self._plan.times:
            request = case.fresh() if case.fresh else case
            self.meter.owed.clear()
            began = time.process_time()
            status, body = self.ask(request)
            assert status < 400 or case.name.endswith("refused"), (case.name, status, body[:500])
            seconds = time.process_time() - began
            best, total, times = min(best, seconds), total + seconds, times + 1
        return self._row(case.name, best, 1, case.creates)

    def moves(self, game: AnyGame, level: Level) -> Price:
        """Returns the mean price of moves that bots of this level answer."""
        players = [f"P{number}" for number in range(game.players[1])]
        bots = [{"seat": seat, "level": level} for seat in range(1, len(players))]
        request = {"game": game.name, "players": players, "bots": bots}
        total, times, begun = 0.0, 0, None
        self.meter.owed.clear()
        while times < self._plan.moves:
            if begun is None:
                begun = self.answer("POST", "/v1/sessions", request)
            id, token = begun["session"]["id"], begun["host_token"]
            stored = self.store.read(id)
            session = decode(stored.document, id, stored.version)
            if session.player is None:
                begun = None
                continue
            question = game.question_at(
                state_of(game, session).turn, game.public_of(session.hidden)
            )
            event = game.event_document(game.advise(question, Level.CAREFUL))
            before, began = dict(self.meter.owed), time.process_time()
            change = self.answer("POST", f"/v1/sessions/{id}/events", event, token)
            seconds = time.process_time() - began
            if change["session"]["version"] > stored.version + 1:
                total, times = total + seconds, times + 1
            else:
                self.meter.owed = before
        return self._row(f"moves of {game.name} against {level}", total, times, False)

    def _row(self, name: str, seconds: float, times: int, creates: bool) -> Price:
        # A client repays debt beyond a minute by a minute without requests, at most.
        requests = {
            key.policy: MINUTE / min(owed / times, MINUTE) for key, owed in self.meter.owed.items()
        }
        if creates:
            requests[RatePolicy.SESSIONS] = Settings().rate_sessions
        policy = min(requests, key=requests.__getitem__)
        return Price(name, seconds / times, requests[policy], policy)

    def cases(self) -> Iterator[DearRequest]:
        """Yields all cases, which may be sent only before the next case is yielded."""
        yield from chain.from_iterable(verdicts(game) for game in catalogue().values())
        yield from chain(table_cases(), catalogue_cases(), page_cases(), field_cases())
        yield from session_cases(self.answer)

    def rows(self) -> Iterator[Price]:
        """Yields the prices of all cases."""
        for game, level in product(catalogue().values(), Level):
            yield self.moves(game, level)
        yield from map(self.row, self.cases())


def adjudication_seconds(bench: PricedService) -> float:
    """Returns the mean CPU seconds of an adjudication of random positions."""
    cases = [
        DearRequest("", "POST", "/v1/tutto/adjudications", orjson.dumps(position))
        for position in positions(2000)
    ]
    best = inf
    for _ in range(5):
        began = time.process_time()
        for case in cases:
            bench.ask(case)
        best = min(best, (time.process_time() - began) / len(cases))
    return best


@contextmanager
def priced_service(plan: Plan) -> Iterator[PricedService]:
    """Runs the bench with its own Redis."""
    with Single(ENGINES[0]) as server:
        store = RedisStore(server.url, 5000)
        try:
            yield PricedService(store, plan)
        finally:
            store.close()


def attack(port: int, dear: DearRequest, is_dear: Event) -> None:
    """Repeats requests of a single kind, or adjudications, until terminated from outside."""
    line = HTTPConnection("127.0.0.1", port, 60, ("127.66.6.6", 0))
    light = DearRequest("adjudication", "POST", ADJUDICATIONS, ROLL_JSON)
    while True:
        case = dear if is_dear.is_set() else light
        headers = {name.decode(): value.decode() for name, value in case.headers.items()}
        line.request(
            case.method, case.path, case.body(), {"Content-Type": "application/json", **headers}
        )
        line.getresponse().read()


def waits(line: HTTPConnection, statuses: Counter[int]) -> Iterator[float]:
    """Yields the milliseconds of each question of a slice."""
    start = time.monotonic()
    while (began := time.monotonic()) < start + SECONDS:
        line.request("POST", ADJUDICATIONS, ROLL_JSON, {"Content-Type": "application/json"})
        answer = line.getresponse()
        answer.read()
        statuses[answer.status] += 1
        if began > start + SETTLING:
            yield 1000 * (time.monotonic() - began)
        time.sleep(PAUSE)


def is_undisturbed(slices: int) -> bool:
    """Prints the waits of a client beside another address, and compares them with the bars.

    All limits have their defaults, on loopback, too. The loads alternate slice by slice.
    """
    cases = [
        *chain.from_iterable(verdicts(game) for game in catalogue().values()),
        *table_cases(),
    ]
    kinds = [[case for case in cases if case.name.startswith(kind)] for kind in DEAR]
    # Started processes inherit the cases, which are expensive to build.
    context, statuses = get_context("fork"), Counter[int]()
    waited: tuple[list[float], list[float]] = ([], [])
    limits: dict[str, Any] = {"WORKERS": 1, "RATE_LOOPBACK": 1, "RATE_STATELESS": 60_000}
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, **limits) as server:
        is_dear = context.Event()
        crowd = [
            context.Process(target=attack, args=(server.port, case, is_dear))
            for first, *_, last in kinds
            for case in (first, last)
        ]
        for process in crowd:
            process.start()
        line = HTTPConnection("127.0.0.1", server.port, 60, ("127.0.0.9", 0))
        for _ in range(slices):
            for load, change in enumerate((is_dear.clear, is_dear.set)):
                change()
                waited[load].extend(waits(line, statuses))
        for process in crowd:
            process.terminate()
            process.join()
    cuts = [quantiles(times, n=100) for times in waited]
    print(f"others: {dict(statuses)}")
    for kind, cut in zip(("light", "dear"), cuts, strict=True):
        print(f"beside {kind} requests: p50 {cut[49]:.1f} ms, p99 {cut[98]:.1f} ms")
    ratio = cuts[1][98] / cuts[0][98]
    print(f"p99 beside dear requests for that beside light ones: {ratio:.2f} (at most {BAR_RATIO})")
    return bool(cuts[1][98] <= BAR_MS and ratio <= BAR_RATIO)


def main(arguments: Sequence[str]) -> int:
    """Prints the most expensive cases and returns 1 if a bar is exceeded."""
    quick = "--quick" in arguments
    with priced_service(QUICK if quick else FULL) as bench:
        before = adjudication_seconds(bench)
        rows = list[Price]()
        for row in bench.rows():
            rows.append(row)
            if "--all" in arguments:
                print(row, flush=True)
        bar = BAR * (before + adjudication_seconds(bench)) / 2
    rows.sort(key=lambda row: row.bought, reverse=True)
    print(f"{BAR:,} adjudications: {bar:.1f} s of CPU. A minute's permits of one address buy:")
    for row in rows[:SHOWN]:
        print(f"({row.bought / bar:4.2f}) {row}")
    for method, route in sorted(bench.uncovered):
        print(f"no case: {method} {route}")
    undisturbed = is_undisturbed(QUICK_SLICES if quick else SLICES)
    bars_met = quick or (rows[0].bought <= MOST * bar and undisturbed)
    return int(bool(bench.uncovered) or not bars_met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
