"""Batches: positions a CPU second over HTTP, against orjson reading and writing the same alone."""

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
"""Positions judged in a round, within a second of CPU time."""


@dataclass(frozen=True)
class Batches:
    """All questions in requests of one size, with the expected answers."""

    size: int
    requests: tuple[bytes, ...]
    answers: tuple[bytes, ...]

    @classmethod
    def of(cls, questions: Sequence[bytes], answers: Sequence[bytes], size: int) -> "Batches":
        starts = range(0, len(questions) - size + 1, size)
        return cls(
            size,
            tuple(_joined("positions", questions[start : start + size]) for start in starts),
            tuple(_joined("answers", answers[start : start + size]) for start in starts),
        )

    @property
    def times(self) -> int:
        """Number of times that all requests are sent in a round."""
        return -(-AT_LEAST // (self.size * len(self.requests)))


@dataclass(frozen=True)
class BatchResult:
    size: int
    per_cpu_second: float
    """Positions judged in a second of CPU time, over HTTP."""
    ratio_to_orjson: float
    """CPU time against that of orjson alone: the same requests read, the same answers written."""


def measure(server: PinnedServer, batches: Batches, rounds: int) -> BatchResult:
    """Measures rounds of the server and of orjson alone in turn; returns the medians."""
    _check(server, batches)
    documents = [orjson.loads(answer) for answer in batches.answers]
    ours, alone = [], []
    # Collections of the objects held here would count as time of orjson.
    gc.freeze()
    for _ in range(rounds):
        ours.append(served(server, batches))
        alone.append(_alone(batches, documents))
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
    """Returns the CPU seconds of the server for one round."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    before = server.cpu_seconds()
    for _ in range(batches.times):
        for request in batches.requests:
            _ask(connection, request)
    spent = server.cpu_seconds() - before
    connection.close()
    return spent


def _alone(batches: Batches, documents: Sequence[Any]) -> float:
    """Returns the CPU seconds of orjson for one round."""
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


def _joined(name: str, documents: Sequence[bytes]) -> bytes:
    return b'{"%s":[%s]}' % (name.encode(), b",".join(documents))
