"""The report, as a table for people and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import Any

from tests.bench.contenders import (
    BARE_FLASK,
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
    spread: tuple[float, float] | None = None
    """Quartiles of the rounds."""

    @classmethod
    def of(cls, title: str, ratios: Sequence[float], limit: float) -> "Target":
        """Returns the target for the median of these ratios."""
        low, middle, high = quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
        return cls(title, middle, limit, spread=(low, high))

    @property
    def met(self) -> bool:
        return self.value <= self.limit

    def line(self) -> str:
        verdict = "met" if self.met else "MISSED"
        line = f"{verdict:7}{self.title:<62}{_number(self.value):>10}  <= {_number(self.limit)}"
        return line if self.spread is None else "{}  ({:.2f} to {:.2f})".format(line, *self.spread)


def ratios(slices: Slices, name: str, yardstick: str) -> list[float]:
    """Returns for each round the ratio of CPU time per request to that of the baseline."""
    return [
        ours.cpu_microseconds / theirs.cpu_microseconds
        for ours, theirs in zip(slices[name], slices[yardstick], strict=True)
    ]


def request_goals(slices: Slices) -> list[Target]:
    """Returns the goals for single requests, which depend on machine and interpreter."""
    return [
        Target.of(
            f"{name}, CPU a request against {yardstick}", ratios(slices, name, yardstick), limit
        )
        for name, yardstick, limit in (
            (SERVICE, NODE, 1.2),
            (TRANSITION, NODE, 1.4),
            (WEIGHED, NODE, 1.5),
            (SERVICE, BARE_FLASK, 0.28),
            (LOGGING, BARE_FLASK, 0.40),
            (TRANSITION, BARE_FLASK, 0.42),
            (WSGI, BARE_FLASK, 1.2),
        )
    ]


def request_table(slices: Slices) -> Iterator[str]:
    """Yields the header and a line for each contender."""
    heads = f"{'CPU us':>8}{'spread':>13}{'req/s':>8}{'/ Flask':>9}{'/ Node':>8}"
    yield f"{'one adjudication':<26}{heads}"
    for name, measured in slices.items():
        cpu = [slice_.cpu_microseconds for slice_ in measured]
        spread = f"{min(cpu):.0f}..{max(cpu):.0f}"
        peers = (BARE_FLASK, NODE)
        middle = {peer: median(ratios(slices, name, peer)) for peer in peers}
        per_second = median(slice_.per_second for slice_ in measured)
        yield (
            f"{name:<26}{median(cpu):>8.0f}{spread:>13}{per_second:>8.0f}"
            f"{middle[BARE_FLASK]:>9.2f}{middle[NODE]:>8.2f}"
        )


def document(
    slices: Slices, goals: Sequence[Target], bars: Sequence[Target], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns all measurements as a JSON document."""
    return {
        **facts,
        "slices": {name: [asdict(part) for part in measured] for name, measured in slices.items()},
        "goals": [{**asdict(goal), "met": goal.met} for goal in goals],
        "bars": [{**asdict(bar), "met": bar.met} for bar in bars],
    }


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3f}"
