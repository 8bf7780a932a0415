"""Tutto on the wire: documents turned into positions and events, and events into answers."""

from collections.abc import Callable

from service.games.tutto import answers, events, game, table
from service.games.tutto.cards import CARDS, DECK, DOUBLE, PLAYABLE, STRAIGHT
from service.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from service.games.tutto.position import SIX, Phase, Position, impossibilities
from service.games.tutto.rulesets import DEFAULT, OPTIONS, RULESETS, Ruleset, house
from service.games.tutto.scoring import NOTHING_ASIDE, aside
from service.games.tutto.shapes import SHAPES
from service.rules.dice import Dice, as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, Piece
from service.wire.referee import Modules, Reading, Referee


def ruleset_of(document: Document) -> Ruleset:
    """The rules that a request is to be judged by."""
    ruleset, options = document.get("ruleset", DEFAULT.id), document.get("options")
    return house(ruleset, options) if options else RULESETS[ruleset]


def position_of(document: Document) -> Position:
    """The position that a request tells. Raises ImpossiblePosition with every reason."""
    position = _told(document, as_dice)
    phase, dice_to_roll = document.get("phase"), document.get("dice_to_roll")
    claimed = None if phase is None else Phase(phase)
    if impossibilities(position, claimed, dice_to_roll):
        # Asked again with the dice in the order of the request, for the pointers.
        as_told = _told(document, lambda dice: tuple(map(int, dice)))
        raise ImpossiblePosition(impossibilities(as_told, claimed, dice_to_roll))
    return position


def _told(document: Document, dice: Callable[[list[int]], Dice]) -> Position:
    get = document.get
    card, keeps, roll = CARDS.get(get("card", "")), get("keeps"), get("roll")
    scores, player = get("scores"), get("player")
    return Position(
        ruleset_of(document),
        card,
        aside(tuple([dice(keep) for keep in keeps]), card is STRAIGHT) if keeps else NOTHING_ASIDE,
        None if roll is None else dice(roll),
        int(get("carried", 0)),
        int(get("tuttos", 0)),
        int(get("pending_deductions", 0)),
        None if scores is None else tuple(map(int, scores)),
        None if player is None else int(player),
    )


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
    deck = tuple(Piece(card.id, card.rule, card.copies) for card in DECK)
    choosing = Phase.KEEP

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def warm(self) -> None:
        for card in PLAYABLE.values():
            for roll in distinct_rolls(SIX):
                answers.adjudication(Position(DEFAULT, card, roll=roll))
        for number in range(1, SIX):
            kept = aside(((1,),) * (SIX - number))
            for roll in distinct_rolls(number):
                answers.adjudication(Position(DEFAULT, DOUBLE, kept, roll))


GAME = Tutto(
    SHAPES,
    Reading(ruleset_of, position_of, event_of),
    Modules(events, game, table, answers),
)
