"""The report, as a table for people and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from tests.bench.contenders import (
    BARE_FLASK,
    FASTAPI,
    LOGGING,
    NODE,
    SERVICE,
    TRANSITION,
    WEIGHED,
    WSGI,
)
from tests.bench.wrk import Slice

Slices = Mapping[str, Sequence[Slice]]
"""The slices of every contender, round by round."""


@dataclass(frozen=True)
class Target:
    """A promise of the service, and its value in this run."""

    title: str
    value: float
    limit: float
    at_least: bool = False
    """True if the limit is a minimum; else it is a maximum."""

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        sign, verdict = ">=" if self.at_least else "<=", "met" if self.met else "MISSED"
        return f"{verdict:7}{self.title:<62}{_number(self.value):>10}  {sign} {_number(self.limit)}"


def ratio(slices: Slices, name: str, yardstick: str) -> float:
    """Returns the median ratio of CPU time a request to that of the yardstick, over all rounds."""
    return median(
        ours.cpu_microseconds / theirs.cpu_microseconds
        for ours, theirs in zip(slices[name], slices[yardstick], strict=True)
    )


def request_targets(slices: Slices) -> list[Target]:
    """Returns the promises about single requests."""
    return [
        Target(f"{name}, CPU a request against {yardstick}", ratio(slices, name, yardstick), limit)
        for name, yardstick, limit in (
            (SERVICE, BARE_FLASK, 0.28),
            (SERVICE, NODE, 1.15),
            (LOGGING, BARE_FLASK, 0.40),
            (SERVICE, FASTAPI, 0.35),
            (TRANSITION, BARE_FLASK, 0.42),
            (WSGI, BARE_FLASK, 1.2),
            (WEIGHED, SERVICE, 3),
        )
    ]


def request_table(slices: Slices) -> Iterator[str]:
    """Yields the header and a line for each contender."""
    heads = f"{'CPU us':>8}{'spread':>13}{'req/s':>8}{'/ Flask':>9}{'/ FastAPI':>11}{'/ Node':>8}"
    yield f"{'one adjudication':<26}{heads}"
    for name, measured in slices.items():
        cpu = [slice_.cpu_microseconds for slice_ in measured]
        spread = f"{min(cpu):.0f}..{max(cpu):.0f}"
        per_second = median(slice_.per_second for slice_ in measured)
        yield (
            f"{name:<26}{median(cpu):>8.0f}{spread:>13}{per_second:>8.0f}"
            f"{ratio(slices, name, BARE_FLASK):>9.2f}{ratio(slices, name, FASTAPI):>11.2f}"
            f"{ratio(slices, name, NODE):>8.2f}"
        )


def document(slices: Slices, targets: Sequence[Target], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns all measurements as a document for machines."""
    return {
        **facts,
        "slices": {name: [asdict(part) for part in measured] for name, measured in slices.items()},
        "targets": [{**asdict(target), "met": target.met} for target in targets],
    }


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3f}"
