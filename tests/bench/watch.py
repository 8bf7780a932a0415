"""What several servers spend while something is done: CPU time of each, a thing done."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.process import cpu_seconds_of, family_of


@dataclass(frozen=True)
class Spent:
    """So many things, and what they took."""

    number: int
    seconds: float
    cpu: Mapping[str, float]
    """Microseconds of CPU time a thing, by the name of the server."""

    @property
    def per_second(self) -> float:
        return self.number / self.seconds


def watched(servers: Mapping[str, Sequence[int]], work: Callable[[], int]) -> Spent:
    """Do the work, which says how many things it was; ``servers`` are pids, children count too."""
    families = {
        name: [pid for root in roots for pid in family_of(root)] for name, roots in servers.items()
    }
    before = {name: cpu_seconds_of(pids) for name, pids in families.items()}
    began = time.perf_counter()
    number = work()
    seconds = time.perf_counter() - began
    cpu = {
        # A child that has ended meanwhile, as Redis' own do, was not there for the work.
        name: sum(now - before[name][pid] for pid, now in cpu_seconds_of(pids).items())
        * (1e6 / number)
        for name, pids in families.items()
    }
    return Spent(number, seconds, cpu)
