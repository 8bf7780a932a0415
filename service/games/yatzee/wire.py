"""Yatzee on the wire: documents turned into positions and events, and the game as a whole."""

from collections.abc import Mapping
from typing import Any

from service.games.yatzee import answers, shapes
from service.games.yatzee.categories import CATEGORIES, Category
from service.games.yatzee.events import Event, Strike, Throw, Write, legal_events, objections, play
from service.games.yatzee.game import advance, new_table, table_objections
from service.games.yatzee.position import Phase, Position, impossibilities
from service.games.yatzee.rulesets import DEFAULT, OPTIONS, RULESETS, THROWS, Ruleset, house
from service.games.yatzee.scoring import SIX, face_values
from service.games.yatzee.sheet import totals
from service.rules.dice import as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, OptionValue, Piece
from service.rules.verdict import rules_of


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
    """The event that a request tells."""
    match document["type"]:
        case "throw":
            held = tuple(map(int, document.get("held", ())))
            return Throw(held, tuple(map(int, document["dice"])))
        case "write":
            return Write(Category(document["category"]))
        case _:
            return Strike(Category(document["category"]))


class Yatzee:
    """The game as the service asks for it (``service.rules.game.Game``)."""

    name = "yatzee"
    component = "YatzeePosition"
    languages = ("en", "de", "da")
    default_ruleset = DEFAULT.id
    options = OPTIONS
    deck: tuple[Piece, ...] = ()
    categories = tuple(Piece(category.value, category.rule) for category in CATEGORIES)
    combos: tuple[Piece, ...] = ()

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
                "totals": totals(position.rules, position.scorecard)._asdict(),
                "rules": sorted(rules_of(findings)),
            }
        step = play(position, event)
        return {
            **answers.named(position.rules),
            "legal": True,
            "turn": answers.turn_document(step.turn),
            "findings": [],
            "legal_events": legal_events(step.turn),
            "effects": [answers.effect_document(effect) for effect in step.effects],
            "totals": totals(position.rules, step.turn.scorecard)._asdict(),
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
        return {
            **answers.named(rules),
            "legal": first_illegal is None,
            "first_illegal": first_illegal,
            "scores": [each.total for each in table.totals],
            "sheet": table.sheet,
            "scorecards": [answers.scorecard_document(card) for card in table.cards],
            "totals": [each._asdict() for each in table.totals],
            "over": table.over,
            "winners": table.winners,
            "player": None if table.over else table.player,
            "turn": None if table.over else answers.turn_document(table.turn),
            "rules": sorted(cites | table.rules),
        }

    def warm(self) -> None:
        for category in CATEGORIES:
            face_values(category, DEFAULT.distinct_faces)
        for roll in distinct_rolls(SIX):
            for throw in range(1, THROWS + 1):
                answers.adjudication(Position(DEFAULT, dice=roll, throw=throw))


GAME = Yatzee()
