"""Tutto on the wire: the shapes of its requests, and documents turned into positions and events."""

from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import fields

from service.games.tutto import answers
from service.games.tutto.cards import CARDS, DECK, DOUBLE, PLAYABLE, STRAIGHT
from service.games.tutto.events import (
    Bank,
    Draw,
    Event,
    Roll,
    SetAside,
    legal_events,
    objections,
    play,
)
from service.games.tutto.game import advance, new_table, table_objections
from service.games.tutto.position import SIX, Phase, Position, impossibilities
from service.games.tutto.rulesets import DEFAULT, OPTIONS, RULESETS, Ruleset, house
from service.games.tutto.scoring import aside
from service.games.tutto.turn import Over
from service.rules.dice import Dice, as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, OptionValue, Piece, Reader
from service.rules.verdict import rules_of
from service.wire import query
from service.wire.fields import (
    Choice,
    Many,
    Name,
    OneOf,
    Part,
    Whole,
    batch_of,
    closed,
    option_field,
)

PLAYERS = (2, 10)
"""How many play (T6.1)."""


def _dice() -> Many:
    return Many(Whole(1, 6), maximum=SIX)


def _table_fields() -> dict[str, fields.Field[Any]]:
    options = closed("TuttoOptions", {option.name: option_field(option) for option in OPTIONS})
    return {"ruleset": Choice(*RULESETS), "options": Part(options)}


def _position_fields(*, required: bool) -> dict[str, fields.Field[Any]]:
    return {
        **_table_fields(),
        "card": Choice(*PLAYABLE, required=required),
        "keeps": Many(_dice(), maximum=SIX),
        "roll": Many(Whole(1, 6), maximum=SIX, required=required),
        "carried": Whole(0, 1_000_000, step=50),
        "tuttos": Whole(0, 1000),
        "pending_deductions": Whole(0, 1000),
        "scores": Many(Whole(-1_000_000_000, 1_000_000_000), *PLAYERS),
        "player": Whole(0, PLAYERS[1] - 1),
        "phase": Choice(*Phase),
        "dice_to_roll": Whole(0, SIX),
    }


def _event() -> OneOf:
    """One of the four events, told apart by ``type``."""
    shapes: dict[str, dict[str, fields.Field[Any]]] = {
        "draw": {"card": Choice(*CARDS, required=True)},
        "roll": {"dice": Many(Whole(1, 6), maximum=SIX, required=True)},
        "keep": {"dice": Many(Whole(1, 6), maximum=SIX, required=True)},
        "bank": {},
    }
    kinds = {
        type_: closed(f"Tutto{type_.title()}Event", {"type": Choice(type_, required=True), **own})
        for type_, own in shapes.items()
    }
    return OneOf(kinds, required=True)


def ruleset_of(document: Document) -> Ruleset:
    """The rules that a request is to be judged by."""
    return house(document.get("ruleset", DEFAULT.id), document.get("options", {}))


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
    card, roll, scores, player = get("card"), get("roll"), get("scores"), get("player")
    return Position(
        ruleset_of(document),
        None if card is None else CARDS[card],
        aside(tuple([dice(keep) for keep in get("keeps", ())]), card == STRAIGHT.id),
        None if roll is None else dice(roll),
        int(get("carried", 0)),
        int(get("tuttos", 0)),
        int(get("pending_deductions", 0)),
        None if scores is None else tuple(map(int, scores)),
        None if player is None else int(player),
    )


def event_of(document: Document) -> Event:
    """The event that a request tells."""
    match document["type"]:
        case "draw":
            return Draw(CARDS[document["card"]])
        case "roll":
            return Roll(tuple(map(int, document["dice"])))
        case "keep":
            return SetAside(tuple(map(int, document["dice"])))
        case _:
            return Bank()


def _pieces() -> tuple[Piece, ...]:
    return tuple(Piece(card.id, card.rule, card.copies) for card in DECK)


class Tutto:
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "tutto"
    component = "TuttoPosition"
    languages = ("en", "de", "fr", "it")
    default_ruleset = DEFAULT.id
    options = OPTIONS
    deck = _pieces()
    categories: tuple[Piece, ...] = ()
    combos: tuple[Piece, ...] = ()

    position = closed("TuttoPosition", _position_fields(required=True))
    batch = batch_of(position)
    transition = closed("TuttoTransition", {**_position_fields(required=False), "event": _event()})
    log = closed(
        "TuttoGameLog",
        {
            **_table_fields(),
            "players": Many(Name(1, 40), *PLAYERS, required=True),
            "log": Many(_event(), required=True),
        },
    )
    query: Mapping[str, Reader] = {
        "ruleset": query.word,
        "card": query.word,
        "keeps": query.digit_lists,
        "roll": query.digits,
        "carried": query.number,
        "tuttos": query.number,
        "pending_deductions": query.number,
        "scores": query.numbers,
        "player": query.number,
        "phase": query.word,
        "dice_to_roll": query.number,
    }
    option_readers: Mapping[str, Reader] = {
        option.name: query.option_reader(option) for option in OPTIONS
    }

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        return {rules.id: rules.options for rules in RULESETS.values()}

    def ruleset_hash(self, ruleset: str) -> str:
        return RULESETS[ruleset].hash

    def adjudicate(self, document: Document) -> Adjudication:
        return answers.adjudication(position_of(document))

    def step(self, document: Document) -> dict[str, Any]:
        position, event = position_of(document), event_of(document["event"])
        findings = objections(position, event, "/event")
        if findings:
            return {
                **answers.named(position.rules),
                "legal": False,
                "turn": None,
                "findings": list(findings),
                "legal_events": legal_events(position),
                "effects": [],
                "scores": position.scores,
                "rules": sorted(rules_of(findings)),
            }
        step = play(position, event)
        return {
            **answers.named(position.rules),
            "legal": True,
            "turn": answers.turn_fragment(step.turn),
            "findings": [],
            "legal_events": legal_events(step.turn),
            "effects": [answers.effect_document(effect) for effect in step.effects],
            "scores": step.turn.scores,
            "rules": sorted(step.rules),
        }

    def audit(self, document: Document) -> dict[str, Any]:
        rules, cites = ruleset_of(document), frozenset[str]()
        table = new_table(rules, len(document["players"]))
        first_illegal = None
        for index, told in enumerate(document["log"]):
            event = event_of(told)
            findings = table_objections(table, event, f"/log/{index}")
            if findings:
                first_illegal = {"index": index, "findings": list(findings)}
                cites |= rules_of(findings)
                break
            table, step = advance(table, event)
            cites |= step.rules
        over = isinstance(table.turn, Over)
        return {
            **answers.named(rules),
            "legal": first_illegal is None,
            "first_illegal": first_illegal,
            "scores": table.scores,
            "sheet": table.sheet,
            "over": over,
            "winners": table.winners,
            "player": None if over else table.player,
            "turn": None if over else answers.turn_fragment(table.turn),
            "rules": sorted(cites | table.rules),
        }

    def warm(self) -> None:
        for card in PLAYABLE.values():
            for roll in distinct_rolls(SIX):
                answers.adjudication(Position(DEFAULT, card, roll=roll))
        for number in range(1, SIX):
            kept = aside(((1,),) * (SIX - number))
            for roll in distinct_rolls(number):
                answers.adjudication(Position(DEFAULT, DOUBLE, kept, roll))


GAME = Tutto()
