"""Batches: positions a CPU second over HTTP, against orjson alone on the same bytes."""

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from statistics import median
from time import process_time
from typing import Any

import orjson

from tests.bench.agreement import Disagreement
from tests.bench.contenders import PATH
from tests.bench.process import PinnedServer

BATCH_PATH = f"{PATH}/batch"
AT_LEAST = 40_000
"""Minimum positions judged in a round, within a second of CPU time."""


@dataclass(frozen=True)
class Batches:
    """All questions in requests of the same size, with the expected answers."""

    size: int
    requests: tuple[bytes, ...]
    answers: tuple[bytes, ...]

    @classmethod
    def of(cls, questions: Sequence[bytes], answers: Sequence[bytes], size: int) -> "Batches":
        starts = range(0, len(questions) - size + 1, size)
        return cls(
            size,
            tuple(_body_of("positions", questions[start : start + size]) for start in starts),
            tuple(_body_of("answers", answers[start : start + size]) for start in starts),
        )

    @property
    def times(self) -> int:
        """Number of times that a round sends all requests."""
        return -(-AT_LEAST // (self.size * len(self.requests)))


@dataclass(frozen=True)
class BatchResult:
    size: int
    per_cpu_second: float
    """Positions judged in a second of CPU time, over HTTP."""
    ratio_to_orjson: float
    """Ratio of CPU time to that of orjson alone, which parses and serializes the same bytes."""


def measure(server: PinnedServer, batches: Batches, rounds: int) -> BatchResult:
    """Measures the server and orjson alone in alternate rounds. Returns the medians."""
    _check(server, batches)
    documents = [orjson.loads(answer) for answer in batches.answers]
    ours, alone = [], []
    # A garbage collection of these objects would count as time of orjson.
    gc.freeze()
    for _ in range(rounds):
        ours.append(served(server, batches))
        alone.append(_orjson_seconds(batches, documents))
    gc.unfreeze()
    positions = batches.size * len(batches.requests) * batches.times
    ratio = median(spent / orjsons for spent, orjsons in zip(ours, alone, strict=True))
    return BatchResult(batches.size, positions / median(ours), ratio)


def _check(server: PinnedServer, batches: Batches) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    for request, expected in zip(batches.requests, batches.answers, strict=True):
        if _ask(connection, request) != expected:
            raise Disagreement(
                f"{server.name}: a batch of {batches.size} is not its single answers"
            )
    connection.close()


def served(server: PinnedServer, batches: Batches) -> float:
    """Measures the CPU seconds of the server in a round."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    before = server.cpu_seconds()
    for _ in range(batches.times):
        for request in batches.requests:
            _ask(connection, request)
    spent = server.cpu_seconds() - before
    connection.close()
    return spent


def _orjson_seconds(batches: Batches, documents: Sequence[Any]) -> float:
    """Measures the CPU seconds of orjson in a round."""
    before = process_time()
    for _ in range(batches.times):
        for request, document in zip(batches.requests, documents, strict=True):
            orjson.loads(request)
            orjson.dumps(document)
    return process_time() - before


def _ask(connection: HTTPConnection, request: bytes) -> bytes:
    connection.request("POST", BATCH_PATH, request, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise Disagreement(f"a batch got {response.status}: {answer[:500].decode()}")
    return answer


def _body_of(name: str, documents: Sequence[bytes]) -> bytes:
    return b'{"%s":[%s]}' % (name.encode(), b",".join(documents))
