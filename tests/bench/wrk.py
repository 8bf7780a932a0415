"""The load: wrk with 16 keep-alive connections, on a core without servers."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.bench.contenders import PATH
from tests.bench.process import PinnedServer, cores

CONNECTIONS = 16
SCRIPT = Path(__file__).with_name("cycle.lua")


class AnswersFailed(RuntimeError):
    """A contender refused a question or dropped a connection during the measurement."""


@dataclass(frozen=True)
class Slice:
    """Work of a contender in a slice of time."""

    requests: int
    cpu_microseconds: float
    """CPU time per request, of all processes of the server."""
    per_second: float


def drive(
    server: PinnedServer, questions: Path, skip: int, seconds: int, path: str = PATH
) -> Slice:
    """Sends requests as fast as the server answers, from question number ``skip`` on."""
    before = server.cpu_seconds()
    result = wrk(server.name, server.port, questions, seconds, skip=skip, path=path)
    spent = server.cpu_seconds() - before
    return Slice(
        result["requests"],
        spent * 1e6 / result["requests"],
        result["requests"] * 1e6 / result["microseconds"],
    )


def wrk(
    name: str,
    port: int,
    questions: Path,
    seconds: int,
    *,
    skip: int = 0,
    path: str = PATH,
    method: str = "POST",
) -> dict[str, int]:
    """Returns wrk's counts, measured on the core of the load. Raises AnswersFailed."""
    _, core = cores()
    finished = subprocess.run(
        [
            *("wrk", "--threads", "1", "--connections", str(CONNECTIONS)),
            *("--duration", f"{seconds}s", "--timeout", "10s", "--script", str(SCRIPT)),
            *(f"http://127.0.0.1:{port}", "--", path, str(questions), str(skip), method),
        ],
        capture_output=True,
        check=True,
        timeout=seconds + 30,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    result: dict[str, int] = json.loads(finished.stdout.splitlines()[-1])
    if result["failed"] or not result["requests"]:
        raise AnswersFailed(f"{name}: {result}")
    return result
