"""Markdown tables for the guides, and their format of chances."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class GuideTable(NamedTuple):
    """A table of a guide, identified by the first cell of its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rule = f"|{'---|' * len(self.header)}"
        return "".join(f"{line}\n" for line in (_line(self.header), rule, *map(_line, self.rows)))


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> GuideTable:
    """Returns a table, and expects every row to be as long as the header."""
    guide_table = GuideTable(tuple(header), tuple(map(tuple, rows)))
    assert all(len(row) == len(guide_table.header) for row in guide_table.rows), guide_table
    return guide_table


def per_cent(chance: Fraction | float) -> str:
    """Returns a chance in per cent, with four decimals."""
    return f"{100 * float(chance):.4f}%"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
