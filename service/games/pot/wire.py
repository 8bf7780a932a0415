"""POT on the wire: documents turned into positions and events, and events into answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from service.games.pot import answers, shapes
from service.games.pot.coins import Coins
from service.games.pot.events import Accept, Event, Throw
from service.games.pot.position import Phase, Position
from service.games.pot.possible import impossibilities
from service.games.pot.rulesets import DEFAULT, OPTIONS, RULESETS, Ruleset, house
from service.games.pot.scoring import COMBOS, Dice, as_dice, as_told, distinct_throws
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, OptionValue, Piece


def ruleset_of(document: Document, players: int) -> Ruleset:
    """The rules that a request is to be judged by. Raises ContradictoryOptions."""
    return house(document.get("ruleset", DEFAULT.id), document.get("options", {}), players)


def position_of(document: Document) -> Position:
    """The position that a request tells. Raises Unanswerable with every reason."""
    rules = ruleset_of(document, len(document["coins"]))
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
    """The event that a request tells."""
    if document["type"] == "throw":
        return Throw(as_told(document["dice"]), as_told(document.get("held", ())))
    return Accept(tuple(map(int, document.get("players", ()))))


class Pot:
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "pot"
    component = "PotPosition"
    languages = ("en", "de")
    default_ruleset = DEFAULT.id
    options = OPTIONS
    deck: tuple[Piece, ...] = ()
    categories: tuple[Piece, ...] = ()
    combos = tuple(Piece(combo.id, combo.rule) for combo in COMBOS)

    position = shapes.POSITION
    batch = shapes.BATCH
    transition = shapes.TRANSITION
    log = shapes.LOG
    query = shapes.QUERY
    option_readers = shapes.OPTION_QUERY

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        return {rules.id: rules.options for rules in RULESETS.values()}

    def ruleset_hash(self, ruleset: str) -> str:
        return RULESETS[ruleset].hash

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def adjudicate_all(self, documents: Sequence[Document]) -> list[Adjudication]:
        # One step for all and then the next: code that stays in use is faster.
        positions = [position_of(document) for document in documents]
        return [answers.adjudication(position) for position in positions]

    def step(self, document: Document) -> dict[str, Any]:
        return answers.step(position_of(document), event_of(document["event"]))

    def audit(self, document: Document) -> dict[str, Any]:
        players = len(document["players"])
        return answers.audit(ruleset_of(document, players), players, map(event_of, document["log"]))

    def warm(self) -> None:
        for dice in distinct_throws():
            answers.adjudication(Position(DEFAULT, Coins((3, 3), 1, 48), 0, dice, 1))


GAME = Pot()
