"""The events of Yatzee as words of a line."""

import re
from collections.abc import Mapping

from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.rulebook.game import Document, Json

TOKENS = re.compile("strike +[a-z-]+(?![^ ,])|[^ ,]+")
DEFAULTS: Mapping[str, str | int] = {"aim": "category"}
_ROLL = re.compile("(?:(?P<held>[1-6]{0,6})-)?(?P<dice>[1-6]{0,6})")
_HOLD = ("hold", "keep", "held")


def word(event: Document) -> str:
    """Returns the faces of a roll, those held before a hyphen, or a category."""
    if event["type"] != "roll":
        return f"{'strike-' if event['type'] == 'strike' else ''}{event['category']}"
    held, dice = ("".join(map(str, event.get(name, ()))) for name in ("held", "dice"))
    return dice if dice and not held else f"{held}-{dice}"


def event(word: str) -> Json | None:
    """Reads ``-`` as a roll without dice."""
    category = word.removeprefix("strike-")
    if category in CATEGORIES:
        return {"type": "write" if word == category else "strike", "category": category}
    match = _ROLL.fullmatch(word)
    if match is None:
        return None
    held = {"held": list(map(int, match["held"]))} if match["held"] else {}
    return {"type": "roll", **held, "dice": list(map(int, match["dice"]))}


def hint(word: str) -> str:
    if word.startswith(_HOLD):
        return "hold"
    return "dice" if word.replace("-", "").isdecimal() else "word"
