"""Tables of Markdown, with the numbers of the analysis as people read them."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Table(NamedTuple):
    """A table of a guide; in the guide it is known by its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def first_lines(self) -> str:
        """The header and the rule under it."""
        return f"{_line(self.header)}\n|{'---|' * len(self.header)}\n"

    def __str__(self) -> str:
        return self.first_lines + "".join(f"{_line(row)}\n" for row in self.rows)


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table whose rows are as long as its header."""
    made = Table(tuple(header), tuple(map(tuple, rows)))
    assert all(len(row) == len(made.header) for row in made.rows), made
    return made


def per_cent(chance: Fraction | float) -> str:
    """A chance with four decimals, in per cent."""
    return f"{100 * float(chance):.4f} %"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
