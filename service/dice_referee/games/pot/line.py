"""The events of POT as words of a line."""

import re
from collections.abc import Mapping

from dice_referee.games.pot.scoring import LETTERS
from dice_referee.rulebook.game import Document, Json

TOKENS = re.compile("accept(?: +[1-5](?![^ ,]))++|[^ ,]+")
DEFAULTS: Mapping[str, str | int] = {"starter": 0, "aim": "points"}
_ROLL = re.compile("(?:(?P<held>[1-5pot]{0,3})-)?(?P<dice>[1-5pot]{0,3})")
_ACCEPT = re.compile("accept(?:-[1-5]){0,5}")
_HOLD = ("hold", "keep", "held")


def word(event: Document) -> str:
    """Returns the faces of a roll, those held before a hyphen, or ``accept`` with players.

    A roll of a single die has its hyphen too: after ``accept`` a single digit is a player.
    """
    if event["type"] == "accept":
        return "-".join(["accept", *(str(player + 1) for player in event.get("players", ()))])
    held, dice = ("".join(map(str, event.get(name, ()))) for name in ("held", "dice"))
    return dice if len(dice) > 1 and not held else f"{held}-{dice}"


def event(word: str) -> Json | None:
    """Returns the event of a word. Players are numbered from 1."""
    if _ACCEPT.fullmatch(word):
        players = [int(player) - 1 for player in word.split("-")[1:]]
        return {"type": "accept", "players": players} if players else {"type": "accept"}
    match = _ROLL.fullmatch(word)
    if match is None:
        return None
    held = {"held": _faces(match["held"])} if match["held"] else {}
    return {"type": "roll", **held, "dice": _faces(match["dice"])}


def hint(word: str) -> str:
    """Returns the key of the text for a common mistake, else ``word``."""
    if word.startswith("accept"):
        return "players"
    if word.startswith(_HOLD):
        return "hold"
    if _ROLL.fullmatch(word.replace("0", "o")):
        return "letter"
    return "dice" if word.strip("-")[:1].isdecimal() else "word"


def _faces(run: str) -> list[int | str]:
    return [face.upper() if face.upper() in LETTERS else int(face) for face in run]
