"""Tables of the guide to perfect play: Yatzee for the whole sheet (O15).

``tests/tools/tables/options.py`` writes the optimal totals, which take minutes each, and
``judged.py`` the losses of bots. This module computes all other figures.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple

from dice_referee.games.yatzee.categories import CATEGORIES, PLACE, Category
from dice_referee.games.yatzee.events import Event, Roll, Write
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.sheet import EMPTY, UPPER
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.sheet import HEAD_BYTES, PATH, rest_of, sheet_values
from dice_referee.rulebook.dice import FACES, Dice
from tests.games.guide_table import GuideTable, table
from tests.games.yatzee import judged
from tests.games.yatzee.analysis import title
from tests.tools.tables import options

TOTALS: dict[str, float] = json.loads(options.PATH.read_text("utf-8"))
JUDGED: dict[str, Any] = json.loads(judged.PATH.read_text("utf-8"))
SHOWN = 4
"""Number of rows in a table of the greatest losses."""


def game_tables() -> Iterator[GuideTable]:
    """Yields the tables about Yatzee of the guide to perfect play."""
    yield _options()
    yield _categories()
    yield _bots()
    yield _first_rolls()


def game_conclusions() -> Iterator[str]:
    """Yields the conclusions from the tables, a line each."""
    *least, dearest = sorted(CATEGORIES, key=prices().__getitem__)
    costs = ", ".join(f"{title(category)} ({prices()[category]:.1f})" for category in least[:3])
    yield (
        "Yatzee: on an empty score sheet these categories cost the fewest points to cross out: "
        f"{costs}. {title(dearest)} costs most, {prices()[dearest]:.1f} points."
    )
    yield (
        "Yatzee: the roll bonus tempts players to stop too early. On an empty score sheet `best` "
        f"stops after {100 * stops_after_first_roll():.1f}% of first rolls. This decision alone "
        f"loses {lost_with_first_roll():.2f} points."
    )


@cache
def prices() -> dict[Category, float]:
    """Returns the cost of crossing out each category of an empty sheet."""
    return {category: price(PLACE[category]) for category in CATEGORIES}


def _options() -> GuideTable:
    rows = [("as published", f"{optimum():.2f}", "")]
    rows += [(name, f"{total:.2f}", f"{total - optimum():+.2f}") for name, total in TOTALS.items()]
    return table(("Rules of Yatzee", "optimal total", "change"), rows)


@cache
def optimum() -> float:
    """Returns the optimal total of the published rules, read from the shipped file."""
    total: float = json.loads(PATH.read_bytes()[:HEAD_BYTES])["empty_card"]
    return total


def price(place: int) -> float:
    """Returns the cost of crossing out this category of an empty sheet."""
    rest = rest_of(EMPTY)
    after = rest.without_upper(place, 0) if place < UPPER else rest.without_lower(place - UPPER)
    return sheet_values().value(rest) - sheet_values().value(after)


def _categories() -> GuideTable:
    ordered = sorted(CATEGORIES, key=prices().__getitem__, reverse=True)
    rows = ((title(category), f"{prices()[category]:.1f}") for category in ordered)
    return table(("Category crossed out", "loss on an empty score sheet"), rows)


def _with_error(costs: dict[str, Any]) -> str:
    return f"{costs['lost']:.1f} ± {costs['standard_error']:.1f}"


def _bots() -> GuideTable:
    rows = (
        (f"`{level}`", _with_error(JUDGED[level]), *map(_tenths, JUDGED[level]["by_roll"]))
        for level in judged.BOTS
    )
    header = ("Bot of Yatzee", "loss a game", "after roll 1", "after roll 2")
    return table((*header, "after roll 3"), rows)


def _tenths(points: float) -> str:
    return f"{points:.1f}"


class FirstRoll(NamedTuple):
    """A first roll of the empty sheet, the choice of ``best`` and the perfect choice."""

    dice: Dice
    chance: float
    event: Event
    better: Event
    lost: float


@cache
def first_rolls() -> list[FirstRoll]:
    """Returns all first rolls, sorted by the loss of ``best`` from the greatest."""
    rolls = []
    for dice in combinations_with_replacement(FACES, 6):
        position = Position(DEFAULT, EMPTY, dice, 1)
        event = judged.BOTS["best"](position)
        chance = factorial(6) / prod(factorial(dice.count(face)) for face in FACES) / 6**6
        better, lost = whole_game.whole_game(position).event, judged.loss(position, event)
        rolls.append(FirstRoll(dice, chance, event, better, lost))
    return sorted(rolls, key=lambda roll: -roll.lost)


def _first_rolls() -> GuideTable:
    rows = [
        (
            " ".join(map(str, roll.dice)),
            _choice(roll.event),
            _choice(roll.better),
            f"{roll.lost:.2f}",
        )
        for roll in first_rolls()[:SHOWN]
    ]
    return table(("First roll of the game", "`best`", "perfect", "loss"), rows)


def _choice(event: Event) -> str:
    if isinstance(event, Roll):
        return f"hold {' '.join(map(str, event.held))}" if event.held else "roll all six"
    verb = "score in" if isinstance(event, Write) else "cross out"
    return f"{verb} {title(event.category)}"


def stops_after_first_roll() -> float:
    """Returns the chance that ``best`` stops after the first roll of an empty sheet."""
    return sum(roll.chance for roll in first_rolls() if not isinstance(roll.event, Roll))


def lost_with_first_roll() -> float:
    """Returns the expected loss of ``best`` with the first decision of the empty sheet."""
    return sum(roll.chance * roll.lost for roll in first_rolls())
