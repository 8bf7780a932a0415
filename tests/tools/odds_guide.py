"""Computes the tables and the picture of the guides to odds and to perfect play.

``make generate`` updates all of them. The program finds a table by the first cell of its header,
and the list of conclusions by its heading.
"""

import re
from collections.abc import Iterable
from functools import cache

from tests.e2e.guides.snippets import GUIDES
from tests.games.guide_table import GuideTable
from tests.games.pot import analysis as pot
from tests.games.pot import perfect_play as pot_to_win
from tests.games.tutto import analysis as tutto
from tests.games.tutto import perfect_play as tutto_to_win
from tests.games.yatzee import analysis as yatzee
from tests.games.yatzee import perfect_play as whole_card

ODDS, PERFECT_PLAY = GUIDES / "odds-tables.md", GUIDES / "perfect-play.md"
PICTURE = GUIDES.parent / "static" / "reading" / "win-chances.svg"
FOR_PLAY = "## What this says for play\n\n"


@cache
def odds_tables() -> tuple[GuideTable, ...]:
    """Returns every table of a single turn, game by game."""
    return (*tutto.tables(), *yatzee.tables(), *pot.tables())


def computed_odds(text: str) -> str:
    """Returns the guide with computed numbers. Raises ValueError if a place is missing."""
    return _with_lines(_with_tables(text, odds_tables()), tutto.conclusions())


def computed_perfect_play(text: str) -> str:
    """Returns the guide to perfect play with computed numbers. Raises ValueError likewise."""
    games = (whole_card, tutto_to_win, pot_to_win)
    tables = (table for game in games for table in game.game_tables())
    lines = (line for game in games for line in game.game_conclusions())
    return _with_lines(_with_tables(text, tables), lines)


def _with_lines(text: str, lines: Iterable[str]) -> str:
    """Inserts these conclusions under their heading."""
    bullets = "".join(f"- {line}\n" for line in lines)
    return _replaced(text, FOR_PLAY, r"(?:- .*\n)*", FOR_PLAY + bullets)


def _with_tables(text: str, tables: Iterable[GuideTable]) -> str:
    """Inserts these tables in their places."""
    for table in tables:
        text = _replaced(text, f"| {table.header[0]} |", r".*\n\|[-|]+\n(?:\|.*\n)*", str(table))
    return text


def _replaced(text: str, beginning: str, rest: str, new: str) -> str:
    """Replaces the part of the text that begins with ``beginning`` and continues with ``rest``."""
    replaced, places = re.subn(
        f"^{re.escape(beginning)}{rest}", lambda _: new, text, flags=re.MULTILINE
    )
    if places != 1:
        raise ValueError(f"{places} places for {beginning!r}")
    return replaced


WRITERS = {ODDS: computed_odds, PERFECT_PLAY: computed_perfect_play}
"""The guides and the functions that compute their numbers."""


if __name__ == "__main__":
    for guide, computed in WRITERS.items():
        guide.write_text(computed(guide.read_text("utf-8")), "utf-8")
    PICTURE.write_text(tutto_to_win.chance_map(), "utf-8")
