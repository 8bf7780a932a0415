"""The Yatzee table of the guide to odds."""

from collections.abc import Iterator

from dice_referee.games import catalogue
from dice_referee.games.yatzee.categories import Category
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.values.odds import Question
from tests.games.guide_table import GuideTable, per_cent, table


def title(category: Category) -> str:
    """Returns the English title of a category."""
    text: str = catalogue()["yatzee"].words["vocabulary"][category.value]["en"]
    return text


def tables() -> Iterator[GuideTable]:
    """Yields the odds of each category at the start of a turn played for it alone (O10)."""
    rows = (
        (title(entry.category), per_cent(entry.chance), f"{float(entry.value):.4f}")
        for entry in Question(Position(DEFAULT)).odds().categories
    )
    yield table(("Category", "chance", "expected points"), rows)
