"""Tutto on the wire: documents turned into positions and events, and events into answers."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from service.games.tutto import answers, events, game, table
from service.games.tutto.cards import CARDS, DECK, PLAYABLE, STRAIGHT
from service.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from service.games.tutto.position import SIX, Phase, Position, impossibilities
from service.games.tutto.rulesets import DEFAULT, OPTIONS, RULESETS, Ruleset, house
from service.games.tutto.scoring import NOTHING_ASIDE, Aside, aside
from service.games.tutto.shapes import SHAPES
from service.rules.dice import FACES, Dice, as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Adjudications, Document, Piece
from service.wire.referee import Modules, Reading, Referee


def ruleset_of(document: Document) -> Ruleset:
    """The rules that a request is to be judged by."""
    ruleset, options = document.get("ruleset", DEFAULT.id), document.get("options")
    return house(ruleset, options) if options else RULESETS[ruleset]


def position_of(document: Document) -> Position:
    """The position that a request tells. Raises ImpossiblePosition with every reason."""
    position = _told(document, as_dice)
    phase, dice_to_roll = document.get("phase"), document.get("dice_to_roll")
    if impossibilities(position, phase, dice_to_roll):
        # Asked again with the dice in the order of the request, for the pointers.
        raise ImpossiblePosition(impossibilities(_told(document, _in_order), phase, dice_to_roll))
    return position


def _told(told: Document, dice: Callable[[Iterable[int]], Dice]) -> Position:
    """The position without a look at what it says; made as ``Position`` does, but in half the time.

    Most fields are not told most of the time.
    """
    card = CARDS[told["card"]] if "card" in told else None
    keeps = tuple(map(tuple, told["keeps"])) if "keeps" in told else ()
    return tuple.__new__(
        Position,
        (
            ruleset_of(told),
            card,
            _aside(keeps, card is STRAIGHT, dice) if keeps else NOTHING_ASIDE,
            dice(told["roll"]) if "roll" in told else None,
            int(told["carried"]) if "carried" in told else 0,
            int(told["tuttos"]) if "tuttos" in told else 0,
            int(told["pending_deductions"]) if "pending_deductions" in told else 0,
            tuple(map(int, told["scores"])) if "scores" in told else None,
            int(told["player"]) if "player" in told else None,
        ),
    )


@lru_cache(maxsize=8192)
def _aside(
    keeps: tuple[tuple[int, ...], ...], straight: bool, dice: Callable[[Iterable[int]], Dice]
) -> Aside:
    return aside(tuple(map(dice, keeps)), straight)


def _in_order(faces: Iterable[int]) -> Dice:
    return tuple(map(int, faces))


def event_of(document: Document) -> Event:
    """The event that a request tells; a draw or a roll may lack what chance is to bring."""
    match document["type"]:
        case "draw":
            return Draw(CARDS[document["card"]] if "card" in document else None)
        case "roll":
            return Roll(tuple(map(int, document["dice"])) if "dice" in document else None)
        case "keep":
            return SetAside(tuple(map(int, document["dice"])))
        case _:
            return Bank()


class Tutto(Referee):
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "tutto"
    languages = ("en", "de", "fr", "it")
    default_ruleset = DEFAULT.id
    published = RULESETS
    options = OPTIONS
    dice = (FACES,) * SIX
    deck = tuple(Piece(card.id, card.rule, card.copies) for card in DECK)
    choosing = Phase.KEEP

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def adjudicate_all(self, documents: Sequence[Document]) -> Adjudications:
        # One step for all and then the next: code that stays in use is faster.
        return answers.adjudications([position_of(document) for document in documents])

    def warm(self) -> None:
        # Cards of one rule differ in their prize only: what is kept of them is the same.
        for card in {card.rule: card for card in PLAYABLE.values()}.values():
            for number in range(1, SIX + 1):
                dice = FACES[number:] if card is STRAIGHT else (1,) * (SIX - number)
                kept = aside(tuple((die,) for die in dice), card is STRAIGHT)
                for roll in distinct_rolls(number):
                    answers.adjudication(Position(DEFAULT, card, kept, roll))


GAME = Tutto(
    SHAPES,
    Reading(ruleset_of, position_of, event_of),
    Modules(events, game, table, answers),
)
