"""Tables of Markdown, with the numbers of the analysis as people read them."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class GuideTable(NamedTuple):
    """A table of a guide; in the guide it is known by the first cell of its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rule = f"|{'---|' * len(self.header)}"
        return "".join(f"{one}\n" for one in (_line(self.header), rule, *map(_line, self.rows)))


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> GuideTable:
    """A table whose rows are as long as its header."""
    made = GuideTable(tuple(header), tuple(map(tuple, rows)))
    assert all(len(row) == len(made.header) for row in made.rows), made
    return made


def per_cent(chance: Fraction | float) -> str:
    """A chance in per cent, with four decimals."""
    return f"{100 * float(chance):.4f}%"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
