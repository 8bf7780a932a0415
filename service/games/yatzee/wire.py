"""Yatzee on the wire: documents turned into positions and events, and the game as a whole."""

from service.games.yatzee import answers, events, game, table
from service.games.yatzee.categories import CATEGORIES, Category
from service.games.yatzee.events import Event, Strike, Throw, Write
from service.games.yatzee.position import Phase, Position, impossibilities
from service.games.yatzee.rulesets import DEFAULT, OPTIONS, RULESETS, THROWS, Ruleset, house
from service.games.yatzee.scoring import SIX, face_values
from service.games.yatzee.shapes import SHAPES
from service.rules.dice import FACES, as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, Piece
from service.wire.referee import Modules, Reading, Referee


def ruleset_of(document: Document) -> Ruleset:
    """The rules that a request is to be judged by."""
    return house(document.get("ruleset", DEFAULT.id), document.get("options", {}))


def position_of(document: Document) -> Position:
    """The position that a request tells. Raises ImpossiblePosition with every reason."""
    dice, throw, phase = document.get("dice"), document.get("throw"), document.get("phase")
    told = document.get("scorecard", {})
    position = Position(
        ruleset_of(document),
        tuple([int(told[category]) if category in told else None for category in CATEGORIES]),
        None if dice is None else as_dice(dice),
        None if throw is None else int(throw),
    )
    findings = impossibilities(position, None if phase is None else Phase(phase))
    if findings:
        raise ImpossiblePosition(findings)
    return position


def event_of(document: Document) -> Event:
    """The event that a request tells; a throw may lack the dice that chance is to bring."""
    match document["type"]:
        case "throw":
            held = tuple(map(int, document.get("held", ())))
            return Throw(held, tuple(map(int, document["dice"])) if "dice" in document else None)
        case "write":
            return Write(Category(document["category"]))
        case _:
            return Strike(Category(document["category"]))


class Yatzee(Referee):
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "yatzee"
    languages = ("en", "de", "da")
    default_ruleset = DEFAULT.id
    published = RULESETS
    options = OPTIONS
    dice = (FACES,) * SIX
    categories = tuple(Piece(category.value, category.rule) for category in CATEGORIES)
    choosing = Phase.CHOOSE

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def warm(self) -> None:
        for category in CATEGORIES:
            face_values(category, DEFAULT.distinct_faces)
        for roll in distinct_rolls(SIX):
            for throw in range(1, THROWS + 1):
                answers.adjudication(Position(DEFAULT, dice=roll, throw=throw))


GAME = Yatzee(
    SHAPES,
    Reading(ruleset_of, position_of, event_of),
    Modules(events, game, table, answers),
)
