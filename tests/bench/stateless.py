"""What verdicts cost: workers, batches, and nginx before them."""

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson

from service.games.tutto.wire import GAME
from tests.bench.capacity import Cost, line_through
from tests.bench.contenders import PATH
from tests.bench.load import CONNECTIONS, SCRIPT, AnswersFailed
from tests.bench.positions import positions
from tests.bench.watch import Spent, watched
from tests.e2e.deploy.stack import Stack
from tests.server.serving import serving

DIFFERENT = 20_000
ONCE = 60_000
"""Questions for whoever must not ask anything twice: a second of them for each of three rounds."""
COMMON = 200
"""Questions that everybody asks: they stay in the cache."""
SIZES = (1, 10, 100, 1000)
"""Positions in a batch."""
WORKERS = (1, 2, 4)
NO_REDIS = "redis://127.0.0.1:1"
"""Nobody is asked there: verdicts need no Redis."""


@dataclass(frozen=True)
class Plan:
    """How long everything takes."""

    rounds: int
    seconds: float


@dataclass
class Questions:
    """Files that wrk reads, and the bodies of batches."""

    folder: Path
    _bodies: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        many = positions(ONCE)
        documents = many[:DIFFERENT]
        self._bodies = [orjson.dumps(document) for document in documents]
        self.posts = self._file("posts", [body.decode() for body in self._bodies])
        queries = [_query(document) for document in many]
        self.gets = self._file("gets", queries)
        self.common = self._file("common", queries[:COMMON])
        answers = [len(GAME.adjudicate(document).body) for document in documents]
        self.position_bytes = sum(answers) / len(answers)

    def _file(self, name: str, lines: Sequence[str]) -> Path:
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return path

    def batches(self, size: int, number: int) -> list[bytes]:
        """So many requests of this size, different as long as there are different questions."""
        starts = [size * turn % (DIFFERENT - size + 1) for turn in range(number)]
        return [
            b'{"positions":[%s]}' % b",".join(self._bodies[start : start + size])
            for start in starts
        ]


def _query(document: Mapping[str, object]) -> str:
    """The position as a query string."""
    told = dict(document)
    options = told.pop("options", {})
    assert isinstance(options, dict)
    return urlencode({name: _word(value) for name, value in (told | options).items()}, safe=",")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, list):
        return str(value)
    if value and isinstance(value[0], list):
        return ",".join("".join(map(str, dice)) for dice in value)
    # Dice are digits, scores are numbers.
    return ("" if all(0 < number < 7 for number in value) else ",").join(map(str, value))


def wrk(port: int, file: Path, method: str, skip: int, seconds: float) -> tuple[int, float]:
    """How many answers there were, and their bytes, heads included. Raises AnswersFailed."""
    told = subprocess.run(
        [
            *("wrk", "--threads", "1", "--connections", str(CONNECTIONS)),
            *("--duration", f"{seconds:.0f}s", "--timeout", "10s", "--script", str(SCRIPT)),
            *(f"http://127.0.0.1:{port}", "--", PATH, str(file), str(skip), method),
        ],
        capture_output=True,
        check=True,
        timeout=seconds + 30,
    )
    result = json.loads(told.stdout.splitlines()[-1])
    if result["failed"] or not result["requests"]:
        raise AnswersFailed(str(result))
    return result["requests"], result["bytes"] / result["requests"]


def send_batches(port: int, bodies: Sequence[bytes]) -> int:
    """Send each in its turn; how many there were."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for body in bodies:
        connection.request("POST", f"{PATH}/batch", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise AnswersFailed(f"a batch got {response.status}")
    connection.close()
    return len(bodies)


Say = Callable[[str], None]


def measure(folder: Path, plan: Plan, say: Say, facts: dict[str, Any]) -> dict[str, Cost]:
    """Every cost of a verdict; what more workers do is added to the facts."""
    questions = Questions(folder)
    costs = _direct(questions, plan, say, facts)
    costs |= _batches(questions, plan, say)
    return costs | _through_nginx(questions, plan, say)


def _direct(questions: Questions, plan: Plan, say: Say, facts: dict[str, Any]) -> dict[str, Cost]:
    costs = dict[str, Cost]()
    first, facts["workers"] = 0.0, []
    for workers in WORKERS:
        with serving(WORKERS=workers, REDIS_URL=NO_REDIS) as server:
            pids = {"service": [server.process.pid]}
            wrk(server.port, questions.posts, "POST", 0, 1)
            posts, gets = list[Spent](), list[Spent]()
            size = 0.0

            def ask(file: Path, method: str, turn: int, port: int = server.port) -> int:
                nonlocal size
                number, size = wrk(port, file, method, turn * 1000, plan.seconds)
                return number

            for turn in range(plan.rounds):
                posts.append(
                    watched(pids, lambda turn=turn: ask(questions.posts, "POST", turn))  # type: ignore[misc]
                )
                if workers == 1:
                    gets.append(
                        watched(pids, lambda turn=turn: ask(questions.gets, "GET", turn))  # type: ignore[misc]
                    )
        cpu = Cost.of([one.cpu["service"] for one in posts], "us", "a single verdict by POST")
        rate = Cost.of([one.per_second for one in posts], "", "").value
        first = first or cpu.value
        facts["workers"].append(
            {"workers": workers, "us": round(cpu.value), "per_second": round(rate)}
        )
        say(
            f"{workers} worker(s): {cpu.value:.0f} us of CPU time a verdict "
            f"({cpu.value / first:.2f} of one worker's), {rate:,.0f} a second, "
            f"{cpu.value * rate / 1e6:.2f} cores in use"
        )
        if workers == 1:
            costs["service_post"] = cpu
            costs["service_get"] = Cost.of(
                [one.cpu["service"] for one in gets], "us", "a single verdict by GET"
            )
            costs["verdict_bytes"] = Cost(size, size, size, "bytes", "a verdict with its head")
    return costs


def _batches(questions: Questions, plan: Plan, say: Say) -> dict[str, Cost]:
    """A line through the costs of batches of several sizes."""
    lines = list[tuple[float, float]]()
    with serving(WORKERS=1, REDIS_URL=NO_REDIS) as server:
        pids = {"service": [server.process.pid]}
        bodies = {size: questions.batches(size, _number(size, plan)) for size in SIZES}
        send_batches(server.port, bodies[1000])
        for _ in range(plan.rounds):
            points = [
                (
                    size,
                    watched(pids, lambda some=some: send_batches(server.port, some)).cpu["service"],  # type: ignore[misc]
                )
                for size, some in bodies.items()
            ]
            lines.append(line_through(points))
            say("batches: " + ", ".join(f"{size}: {cpu:,.0f} us" for size, cpu in points))
    return {
        "service_batch": Cost.of([a for a, _ in lines], "us", "a batch, whatever its size"),
        "service_position": Cost.of([b for _, b in lines], "us", "a position in a batch"),
        "position_bytes": Cost(
            questions.position_bytes,
            questions.position_bytes,
            questions.position_bytes,
            "bytes",
            "a position's answer",
        ),
    }


def _number(size: int, plan: Plan) -> int:
    """Batches of this size for about as many seconds as the plan says."""
    return max(20, int(plan.seconds * 1e6 / (300 + 12 * size)))


def _through_nginx(questions: Questions, plan: Plan, say: Say) -> dict[str, Cost]:
    costs = dict[str, Cost]()
    with Stack(WORKERS=1, REDIS_URL=NO_REDIS) as stack:
        pids = {
            "nginx": [stack.nginx_pid],
            "service": [service.process.pid for service in stack.services],
        }
        port, turns = stack.port, range(plan.rounds)
        kinds: dict[str, tuple[str, Callable[[int], int]]] = {
            "nginx_hit": (
                "nginx: an answer from its cache",
                lambda turn: wrk(port, questions.common, "GET", 0, plan.seconds)[0],
            ),
            "nginx_pass": (
                "nginx: a verdict by POST handed on",
                lambda turn: wrk(port, questions.posts, "POST", turn * 1000, plan.seconds)[0],
            ),
            "nginx_batch": (
                "",
                lambda turn: send_batches(port, questions.batches(1000, _number(1000, plan))),
            ),
        }
        for _, warm in kinds.values():
            warm(0)
        found: dict[str, list[Spent]] = {name: [] for name in kinds}
        for turn in turns:
            for name, (_, run) in kinds.items():
                found[name].append(watched(pids, lambda run=run, turn=turn: run(turn)))  # type: ignore[misc]
        misses = [
            watched(pids, lambda part=part: _misses(port, questions, part))  # type: ignore[misc]
            for part in range(3)
        ]
    for name, (what, _) in kinds.items():
        if what:
            costs[name] = Cost.of([one.cpu["nginx"] for one in found[name]], "us", what)
    costs["nginx_miss"] = Cost.of(
        [one.cpu["nginx"] for one in misses],
        "us",
        "nginx: an answer fetched and put into its cache",
    )
    each = [(one.cpu["nginx"] - costs["nginx_pass"].value) / 1000 for one in found["nginx_batch"]]
    costs["nginx_position"] = Cost.of(each, "us", "nginx: a position of a batch of 1000")
    for name, spent in {**found, "nginx_miss": misses}.items():
        nginx = Cost.of([one.cpu["nginx"] for one in spent], "us", "")
        service = Cost.of([one.cpu["service"] for one in spent], "us", "")
        say(f"{name}: nginx {nginx.value:,.0f} us, service {service.value:,.0f} us")
    return costs


def _misses(port: int, questions: Questions, part: int) -> int:
    """Ask for a second what was never asked before; every answer fills the cache."""
    share = (ONCE - COMMON) // 3
    number, _ = wrk(port, questions.gets, "GET", COMMON + part * share, 1)
    if number > share:
        raise AnswersFailed("too quick: questions were asked twice")
    return number
