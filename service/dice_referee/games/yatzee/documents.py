"""JSON of Yatzee: shapes of requests, positions from documents, and documents of answers."""

from collections.abc import Mapping

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import Game
from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.position import Entry, Over, Phase, Position, Turn
from dice_referee.games.yatzee.rulesets import LAST_ROLL, Ruleset
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import Scorecard, totals
from dice_referee.games.yatzee.state import GameState
from dice_referee.games.yatzee.values.odds import CategoryOdds, Odds, Question
from dice_referee.games.yatzee.values.sheet import Aim
from dice_referee.games.yatzee.values.whole_game import WholeGame
from dice_referee.rulebook.dice import as_dice
from dice_referee.rulebook.game import Document, Json
from dice_referee.rulebook.odds import fraction_document
from dice_referee.validation.fields import Dice as DiceField
from dice_referee.validation.fields import Enumerated, Integer, ListOf, Nullable
from dice_referee.validation.schema import Nested, define
from dice_referee.validation.shapes import Field, FieldTable, Shapes, outcome, plain

# Shapes -------------------------------------------------------------------------------------------


PLAYERS = (1, 10)
"""Minimum and maximum number of players (Y4.2)."""

POINTS = (0, 1000)
"""Bounds of the points that a request may claim for a category. Rules judge the dice."""


DICE = DiceField(Integer(1, 6), maximum=SIX)
SCORECARD = define("YatzeeScorecard", {category: Integer(*POINTS) for category in CATEGORIES})

POSITION: FieldTable[Turn] = FieldTable(
    Position,
    roll=Field(DICE, as_dice, fallen=True),
    rolls_made=Field(Integer(1, LAST_ROLL), plain, fallen=True),
    scorecard=Field(
        Nested(SCORECARD),
        lambda scorecard: tuple(map(scorecard.get, CATEGORIES)),
        lambda turn: scorecard_document(turn.scorecard),
        default={},
    ),
    phase=Field(Enumerated(*Phase)),
    outcome=outcome(Over, "reason", "category", "points", "scorecard_full"),
)

LINE: Field[Event] = Field(Enumerated(*CATEGORIES, required=True), Category)
EVENTS: Mapping[str, FieldTable[Event]] = {
    "roll": FieldTable(Roll, held=Field(DICE, tuple), dice=Field(DICE, tuple, fallen=True)),
    "write": FieldTable(Write, category=LINE),
    "strike": FieldTable(Strike, category=LINE),
}


def _totals(turn: Turn) -> Json:
    return totals(turn.rules, turn.scorecard)._asdict()


AIM = {"aim": Enumerated(*Aim)}
SAVED = {
    "cards": ListOf(ListOf(Nullable(Integer(*POINTS)), len(CATEGORIES), len(CATEGORIES)), *PLAYERS),
    "player": Integer(0, PLAYERS[1] - 1),
    "hidden": Nullable(ListOf(Integer(1, 6), maximum=0)),
}
SHAPES = Shapes(
    PLAYERS, POSITION, EVENTS, {"totals": _totals}, "Y1.2", odds=AIM, aim=AIM, saved=SAVED
)


class YatzeeDocuments(Game[Ruleset, Position, GameState, Question]):
    shapes = SHAPES

    def read_position(self, document: Document, as_sent: bool = False) -> Position:
        return Position(self.rules_of(document), *POSITION.read(document, as_sent))

    def adjudication(self, position: Position) -> Json:
        verdict = position.verdict()
        return {
            **ruleset_fields(position.rules),
            "status": verdict.status,
            "may_roll": verdict.may_roll,
            "categories": [_entry_document(entry) for entry in verdict.entries],
            "totals": verdict.totals._asdict(),
            "rules": sorted(verdict.rules),
        }

    def odds_document(self, question: Question, odds: Odds) -> Json:
        return {
            **ruleset_fields(question.position.rules),
            "categories": [_category_document(category) for category in odds.categories],
            "best": {"category": odds.best, "event": self.event_document(odds.event)},
            "game": None if odds.game is None else self._game(odds.game),
            "rules": sorted(odds.rules),
        }

    def _game(self, game: WholeGame) -> Json:
        return {
            "value": game.value,
            "unit": "points",
            "choices": [
                {"event": self.event_document(event), "value": value}
                for event, value in game.choices
            ],
            "best": game.best,
            "accuracy": game.accuracy._asdict(),
        }

    def state_document(self, state: GameState) -> Json:
        return {
            "scores": state.scores,
            "sheet": state.sheet,
            "scorecards": [scorecard_document(scorecard) for scorecard in state.scorecards],
            "totals": [each._asdict() for each in state.totals],
        }


def _entry_document(entry: Entry) -> Json:
    worth = entry.worth
    return {
        "category": worth.category,
        "open": entry.open,
        "satisfied": bool(worth.score.dice),
        **worth.score._asdict(),
        "throw_bonus": worth.throw_bonus,
        "points": worth.points,
        "rule": worth.category.rule,
        "totals": None if entry.totals is None else entry.totals._asdict(),
    }


def _category_document(answer: CategoryOdds) -> Json:
    hold = {"chance": answer.hold_for_chance, "value": answer.hold_for_value}
    return {
        "category": answer.category,
        "now": answer.now,
        "chance": fraction_document(answer.chance),
        "value": fraction_document(answer.value),
        "hold": None if answer.hold_for_value is None else hold,
        "par": fraction_document(answer.par),
        "gain": fraction_document(answer.gain),
    }


def scorecard_document(scorecard: Scorecard) -> dict[str, int]:
    """Returns the filled categories with their points, in the order of the sheet."""
    filled = zip(CATEGORIES, scorecard, strict=True)
    return {category.value: points for category, points in filled if points is not None}
