"""POT on the wire: documents turned into positions and events, and events into answers."""

from collections.abc import Callable, Iterable
from typing import Any

from service.games.pot import answers, events, game, table
from service.games.pot.coins import Coins
from service.games.pot.events import Accept, Event, Throw
from service.games.pot.position import Phase, Position
from service.games.pot.possible import impossibilities
from service.games.pot.rulesets import DEFAULT, OPTIONS, RULESETS, Ruleset, house
from service.games.pot.scoring import COMBOS, SET, Dice, as_dice, as_told, distinct_throws
from service.games.pot.shapes import SHAPES
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, Piece
from service.wire.referee import Modules, Reading, Referee


def ruleset_of(document: Document) -> Ruleset:
    """The rules that a request is to be judged by. Raises ContradictoryOptions."""
    players = len(document["coins"] if "coins" in document else document["players"])
    return house(document.get("ruleset", DEFAULT.id), document.get("options", {}), players)


def position_of(document: Document) -> Position:
    """The position that a request tells. Raises Unanswerable with every reason."""
    rules = ruleset_of(document)
    position = _told(rules, document, as_dice)
    claimed = Phase(document["phase"]) if "phase" in document else None
    if impossibilities(position, claimed):
        # Asked again with the dice in the order of the request, for the pointers.
        raise ImpossiblePosition(impossibilities(_told(rules, document, as_told), claimed))
    return position


def _told(rules: Ruleset, document: Document, dice: Callable[[Iterable[Any]], Dice]) -> Position:
    def number(name: str) -> int | None:
        value = document.get(name)
        return None if value is None else int(value)

    def lying(name: str) -> Dice | None:
        return dice(document[name]) if name in document else None

    return Position(
        rules,
        Coins(tuple(map(int, document["coins"])), int(document["pot"]), int(document["bank"])),
        int(document["player"]),
        lying("dice"),
        number("throws"),
        number("holder"),
        number("to_beat"),
        lying("held"),
        tuple(map(int, document.get("tied", ()))),
        tuple(map(int, document.get("sums", ()))),
    )


def event_of(document: Document) -> Event:
    """The event that a request tells; a throw may lack the dice that chance is to bring."""
    if document["type"] == "throw":
        dice = as_told(document["dice"]) if "dice" in document else None
        return Throw(dice, as_told(document.get("held", ())))
    return Accept(tuple(map(int, document.get("players", ()))))


class Pot(Referee):
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "pot"
    languages = ("en", "de")
    default_ruleset = DEFAULT.id
    published = RULESETS
    options = OPTIONS
    dice = SET
    combos = tuple(Piece(combo.id, combo.rule) for combo in COMBOS)
    choosing = Phase.CHOOSE
    counted = ("coins", "coins")

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def warm(self) -> None:
        for dice in distinct_throws():
            answers.adjudication(Position(DEFAULT, Coins((3, 3), 1, 48), 0, dice, 1))


GAME = Pot(
    SHAPES,
    Reading(ruleset_of, position_of, event_of),
    Modules(events, game, table, answers),
)
