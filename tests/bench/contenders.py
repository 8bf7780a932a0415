"""Contenders: commands that serve ``POST /v1/tutto/adjudications``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from tests.bench.process import ROOT, PinnedServer, module_of, running_server, seconds_to_answer
from tests.engines.servers import free_port

PATH = "/v1/tutto/adjudications"
TRANSITIONS = "/v1/tutto/transitions"
ODDS = "/v1/tutto/odds"
THREADS = 8
"""Threads of gunicorn's thread worker, equal for bare Flask and for the service's Flask."""
BARE_FLASK, NODE = "bare Flask", "plain Node http"
RELEASE = "the last release"
SERVICE, LOGGING = "the service", "the service, LOG_ANSWERS=1"
WSGI, TRANSITION = "the service under WSGI", "the service, a transition"
WEIGHED = "the service, odds"


def _threads(app: str, *more: str) -> Callable[[int], list[str]]:
    """Returns the command of the app under gunicorn's thread worker."""

    def command(port: int) -> list[str]:
        return module_of(
            *("-m", "gunicorn", "--no-control-socket", "--keep-alive", "15"),
            *("--worker-class", "gthread", "--threads", str(THREADS), "--workers", "1"),
            *("--bind", f"127.0.0.1:{port}", *more, app),
        )

    return command


def _asgi(port: int) -> list[str]:
    return module_of("-m", "service", "serve")


def _node(port: int) -> list[str]:
    return ["node", "tests/bench/node_server.mjs"]


@dataclass(frozen=True)
class Contender:
    name: str
    command: Callable[[int], Sequence[str]]
    """The command for a port, with one worker."""
    settings: Mapping[str, str] = field(default_factory=dict)
    judges: bool = True
    """True if the contender answers the question and must agree with the referee."""
    path: str = PATH
    tree: Path = ROOT
    """Working directory of the command."""


CONTENDERS = (
    Contender(BARE_FLASK, _threads("tests.bench.bare_flask:app"), judges=False),
    Contender(SERVICE, _asgi),
    Contender(LOGGING, _asgi, {"LOG_ANSWERS": "1"}),
    Contender(WSGI, _threads("service.wsgi:app")),
    Contender(TRANSITION, _asgi, judges=False, path=TRANSITIONS),
    Contender(WEIGHED, _asgi, judges=False, path=ODDS),
    Contender(NODE, _node),
)


@dataclass(frozen=True)
class Arena:
    """Shared environment of the contenders: a directory for their files, and their arguments."""

    folder: Path
    question: bytes
    """Request to repeat until a server answers."""
    environment: Mapping[str, str]

    @contextmanager
    def serving(self, contender: Contender) -> Iterator[tuple[PinnedServer, float]]:
        """Runs the contender and yields the server with the seconds to its first answer."""
        port, log = free_port(), self.folder / f"{contender.name}.log"
        metrics = self.folder / f"metrics-{port}"
        metrics.mkdir()
        environment = {
            **self.environment,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "WORKERS": "1",
            "LOG_ANSWERS": "0",
            "PROMETHEUS_MULTIPROC_DIR": str(metrics),
            **contender.settings,
        }
        since = perf_counter()
        command = contender.command(port)
        with running_server(
            contender.name, command, environment, port, log, contender.tree
        ) as server:
            yield server, seconds_to_answer(server, PATH, self.question, since, log)
