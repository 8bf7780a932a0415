"""Yatzee on the wire: documents turned into positions and events, and the game as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.games.yatzee import answers, shapes
from service.games.yatzee.categories import CATEGORIES, Category
from service.games.yatzee.events import Event, Strike, Throw, Write, legal_events, objections, play
from service.games.yatzee.game import Table, advance, new_table, table_objections
from service.games.yatzee.position import Phase, Position, impossibilities
from service.games.yatzee.rulesets import DEFAULT, OPTIONS, RULESETS, THROWS, Ruleset, house
from service.games.yatzee.scoring import SIX, face_values
from service.games.yatzee.sheet import totals
from service.rules.dice import as_dice, distinct_rolls
from service.rules.errors import ImpossiblePosition
from service.rules.game import Adjudication, Document, OptionValue, Piece
from service.wire import steps


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

    def adjudicate_all(self, documents: Sequence[Document]) -> list[Adjudication]:
        # One step for all and then the next: code that stays in use is faster.
        positions = [position_of(document) for document in documents]
        return [answers.adjudication(position) for position in positions]

    def step(self, document: Document) -> dict[str, Any]:
        position, event = position_of(document), event_of(document["event"])
        findings = objections(position, event, "/event")
        rules, named = position.rules, answers.named(position.rules)
        if findings:
            sheet = {"totals": totals(rules, position.scorecard)._asdict()}
            return steps.refused(named, findings, legal_events(position), sheet)
        step = play(position, event)
        return steps.taken(
            named,
            answers.turn_document(step.turn),
            legal_events(step.turn),
            map(answers.effect_document, step.effects),
            {"totals": totals(rules, step.turn.scorecard)._asdict()},
            step.rules,
        )

    def audit(self, document: Document) -> dict[str, Any]:
        rules = ruleset_of(document)
        walked = steps.walk(
            new_table(rules, len(document["players"])),
            map(event_of, document["log"]),
            table_objections,
            advance,
        )
        table: Table = walked.table
        return {
            **answers.named(rules),
            "legal": walked.first_illegal is None,
            "first_illegal": walked.first_illegal,
            "scores": [each.total for each in table.totals],
            "sheet": table.sheet,
            "scorecards": [answers.scorecard_document(card) for card in table.cards],
            "totals": [each._asdict() for each in table.totals],
            "over": table.over,
            "winners": table.winners,
            "player": None if table.over else table.player,
            "turn": None if table.over else answers.turn_document(table.turn),
            "rules": sorted(walked.rules | table.rules),
        }

    def warm(self) -> None:
        for category in CATEGORIES:
            face_values(category, DEFAULT.distinct_faces)
        for roll in distinct_rolls(SIX):
            for throw in range(1, THROWS + 1):
                answers.adjudication(Position(DEFAULT, dice=roll, throw=throw))


GAME = Yatzee()
