"""Speed and memory against the last release, which answers the same questions in the same run.

The release has its own tree. Service and release each have an environment by their own lock, stored
in the virtual environment of the tests.
"""

import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path

from tests.bench import batch
from tests.bench.agreement import check
from tests.bench.contenders import ODDS, PATH, RELEASE, SERVICE, TRANSITIONS, Arena, Contender
from tests.bench.process import ROOT, PinnedServer
from tests.bench.report import Target
from tests.bench.sessions import CLIENTS, Bencher, slice_of
from tests.bench.wrk import drive
from tests.engines.servers import ENGINES, Single
from tests.tools import release
from tests.unlimited import UNLIMITED_ENVIRONMENT

LOCK = "deploy/requirements/service.txt"

LIMIT = 1.08
"""Bar of every ratio. Two copies of the same server measure 0.98 to 1.05."""

ASKED = 2000
"""Number of questions before the memory of a worker is measured."""

Measure = Callable[[Contender], float]
"""Returns a cost of a contender."""


def contenders() -> tuple[Contender, Contender]:
    """Returns the service and the last release, which are installed first if necessary.

    If the history lacks the commit of the release, the checkout replaces the release and a line
    reports that.
    """
    ours = _serving(SERVICE, ROOT)
    _, commit = release.last_release()
    tree = Path(sys.prefix) / "last-release" / commit
    if not tree.exists():
        archive = release.archive(print)
        if archive is None:
            return ours, replace(ours, name=RELEASE)
        with tarfile.open(fileobj=BytesIO(archive)) as tar:
            tar.extractall(unpacked := tree.with_suffix(".unpacked"), filter="data")
        unpacked.rename(tree)
    return ours, _serving(RELEASE, tree)


def _serving(name: str, tree: Path) -> Contender:
    """Returns a contender with the packages of its lock, since redis-py loads all it finds."""
    lock = tree / LOCK
    home = Path(sys.prefix) / "locked" / sha256(lock.read_bytes()).hexdigest()[:12]
    python = str(home / "bin/python")
    if not (home / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        pip = (python, "-m", "pip", "install", "-qq", "--require-hashes", "-r", lock)
        subprocess.run(pip, check=True)
        (home / "installed").touch()
    return Contender(name, lambda port: [python, "-m", "service", "serve"], tree=tree)


class Comparison:
    """The service beside the last release. Both store sessions in the same Redis."""

    def __init__(
        self, arena: Arena, questions: Mapping[str, Path], batches: batch.Batches, seconds: int
    ) -> None:
        self._arena, self._questions, self._seconds = arena, questions, seconds
        self._batches = batches
        self._slice = count()
        self._servers: dict[str, PinnedServer] = {}
        self._settings: dict[str, str] = {}
        self._players: dict[str, list[Bencher]] = {}
        self._pair = contenders()

    def targets(self, rounds: int) -> list[Target]:
        """Returns the ratios of all costs. A ratio above the bar is measured again."""
        with Single(ENGINES[0]) as redis, ExitStack() as stack:
            self._settings = {"REDIS_URL": redis.url, **UNLIMITED_ENVIRONMENT}
            for contender in self._pair:
                with_sessions = replace(contender, settings=self._settings)
                server, _ = stack.enter_context(self._arena.serving(with_sessions))
                self._servers[contender.name] = server
            measures: dict[str, Measure] = {
                "adjudication": lambda contender: self._requests(contender, PATH),
                "transition": lambda contender: self._requests(contender, TRANSITIONS),
                "odds": lambda contender: self._requests(contender, ODDS),
                "event of a session": self._events,
                "batch of 1000": lambda contender: batch.served(
                    self._servers[contender.name], self._batches
                ),
            }
            targets = [self._target(f"CPU, {n}", m, rounds) for n, m in measures.items()]
            memory = self._target("private memory of a worker", self._memory, max(1, rounds // 2))
        return [*targets, memory, self._target("start to first answer", self._start, rounds)]

    def _target(self, title: str, measure: Measure, rounds: int) -> Target:
        title = f"{title}, against the last release"
        target = Target.of(title, self._ratios(measure, rounds), LIMIT)
        return target if target.met else Target.of(title, self._ratios(measure, rounds), LIMIT)

    def _ratios(self, measure: Measure, rounds: int) -> Sequence[float]:
        """Returns a ratio for each round. The contenders alternate in going first."""
        for contender in self._pair:
            measure(contender)
        ratios = []
        for number in range(rounds):
            order = self._pair if number % 2 else self._pair[::-1]
            costs = {contender.name: measure(contender) for contender in order}
            ratios.append(costs[SERVICE] / costs[RELEASE])
        return ratios

    def _requests(self, contender: Contender, path: str) -> float:
        server, skip = self._servers[contender.name], next(self._slice) // 2 * 1000
        return drive(server, self._questions[path], skip, self._seconds, path).cpu_microseconds

    def _events(self, contender: Contender) -> float:
        server = self._servers[contender.name]
        # Their connections would not survive an earlier measurement.
        if contender.name not in self._players:
            players = [Bencher(server.port, number) for number in range(CLIENTS)]
            self._players[contender.name] = players
        players = self._players[contender.name]
        return slice_of(server, players, Bencher.move, self._seconds).cpu_microseconds

    def _memory(self, contender: Contender) -> float:
        """Measures the only worker after equal questions: two workers share them by chance."""
        questions = self._questions[PATH].read_bytes().splitlines()[:ASKED]
        with_sessions = replace(contender, settings=self._settings)
        with self._arena.serving(with_sessions) as (server, _):
            check(server, PATH, questions, [None] * len(questions))
            return server.private_bytes()

    def _start(self, contender: Contender) -> float:
        with self._arena.serving(contender) as (_, seconds):
            return seconds
