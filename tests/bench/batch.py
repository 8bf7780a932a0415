"""Batches of positions, sent to a server whose CPU time is measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection

from tests.bench.agreement import Disagreement
from tests.bench.contenders import PATH
from tests.bench.process import PinnedServer

BATCH_PATH = f"{PATH}/batch"
AT_LEAST = 40_000
"""Minimum positions judged in a round, within a second of CPU time."""


@dataclass(frozen=True)
class Batches:
    """All questions in requests of the same size."""

    size: int
    requests: tuple[bytes, ...]

    @classmethod
    def of(cls, questions: Sequence[bytes], size: int) -> "Batches":
        starts = range(0, len(questions) - size + 1, size)
        bodies = [b",".join(questions[start : start + size]) for start in starts]
        return cls(size, tuple(b'{"positions":[%s]}' % body for body in bodies))

    @property
    def times(self) -> int:
        """Number of times that a round sends all requests."""
        return -(-AT_LEAST // (self.size * len(self.requests)))


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


def _ask(connection: HTTPConnection, request: bytes) -> bytes:
    connection.request("POST", BATCH_PATH, request, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise Disagreement(f"a batch got {response.status}: {answer[:500].decode()}")
    return answer
