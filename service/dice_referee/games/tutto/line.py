"""The events of Tutto as words of a line."""

import re
from collections.abc import Mapping

from dice_referee.games.tutto.cards import CARDS
from dice_referee.rulebook.game import Document, Json

TOKENS = re.compile("keep +[1-6]+(?![^ ,])|[^ ,]+")
DEFAULTS: Mapping[str, str | int] = {"aim": "points"}
_DICE = re.compile("(?P<verb>keep-)?(?P<dice>[1-6]{0,6})")


def word(event: Document) -> str:
    """Returns a card, the faces of a roll, ``keep-`` with faces, or ``bank``."""
    if event["type"] == "draw":
        return str(event["card"])
    if event["type"] == "bank":
        return "bank"
    faces = "".join(map(str, event["dice"]))
    return f"keep-{faces}" if event["type"] == "keep" else faces or "-"


def event(word: str) -> Json | None:
    """Returns the event of a word. ``-`` is a roll without dice."""
    if word == "bank":
        return {"type": "bank"}
    if word in CARDS:
        return {"type": "draw", "card": word}
    match = _DICE.fullmatch("" if word == "-" else word)
    if match is None:
        return None
    return {"type": "keep" if match["verb"] else "roll", "dice": list(map(int, match["dice"]))}


def hint(word: str) -> str:
    return "dice" if word.removeprefix("keep-").isdecimal() else "word"
