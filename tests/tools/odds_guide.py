"""Writes the tables of the guide to odds, and what they say for play, as the service computes them.

``make generate`` renews them all. A table is known by the first cell of its header, and the lines
of what they say for play by their heading.
"""

import re
from functools import cache

from tests.e2e.guides.snippets import GUIDES
from tests.games.guide_table import GuideTable
from tests.games.pot import analysis as pot
from tests.games.tutto import analysis as tutto
from tests.games.yatzee import analysis as yatzee

GUIDE = GUIDES / "odds.md"
FOR_PLAY = "## What this says for play\n\n"


@cache
def all_tables() -> tuple[GuideTable, ...]:
    """Every table, game by game."""
    return (*tutto.tables(), *yatzee.tables(), *pot.tables())


def computed(text: str) -> str:
    """The guide with the numbers of now. Raises ValueError if it lacks a place for some of them."""
    for made in all_tables():
        text = _replaced(text, f"| {made.header[0]} |", r".*\n\|[-|]+\n(?:\|.*\n)*", str(made))
    lines = "".join(f"- {line}\n" for line in tutto.conclusions())
    return _replaced(text, FOR_PLAY, r"(?:- .*\n)*", FOR_PLAY + lines)


def _replaced(text: str, beginning: str, rest: str, new: str) -> str:
    """The text with what begins so replaced."""
    replaced, places = re.subn(
        f"^{re.escape(beginning)}{rest}", lambda _: new, text, flags=re.MULTILINE
    )
    if places != 1:
        raise ValueError(f"{places} places for {beginning!r}")
    return replaced


if __name__ == "__main__":
    GUIDE.write_text(computed(GUIDE.read_text("utf-8")), "utf-8")
