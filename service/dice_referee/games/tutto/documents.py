"""JSON of Tutto: shapes of requests, positions from documents, and documents of answers."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from dice_referee.games.fields import ruleset_fields, turn_fields
from dice_referee.games.game import Game
from dice_referee.games.tutto.cards import CARDS, DECK, PILE, STRAIGHT
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.position import (
    MOST_PENDING,
    SIX,
    STEP,
    KeepResult,
    Over,
    Phase,
    Position,
    Turn,
    is_unshown_last_round,
    turns_left_of,
)
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.scoring import NOTHING_ASIDE, Aside, NextRoll, Scoring, scoring_of
from dice_referee.games.tutto.state import GameState
from dice_referee.games.tutto.values.duels import win_chances
from dice_referee.games.tutto.values.odds import Choice, Odds, Question
from dice_referee.rulebook.dice import Dice, as_dice
from dice_referee.rulebook.game import Document, Json
from dice_referee.rulebook.odds import fraction_document
from dice_referee.validation.fields import Boolean, Enumerated, Integer, ListOf, Nullable
from dice_referee.validation.fields import Dice as DiceField
from dice_referee.validation.schema import Nested, define
from dice_referee.validation.shapes import Field, FieldTable, Shapes, outcome, plain

# Shapes -------------------------------------------------------------------------------------------


PLAYERS = (2, 10)
"""Minimum and maximum number of players (T6.1)."""


class Aim(StrEnum):
    POINTS = "points"
    """Points that the turn is expected to write (O5)."""
    REACH = "reach"
    """Chance to write at least ``reach`` points (O6)."""
    WIN = "win"
    """Win probability in a game of two (O16)."""


REACH = (50, 10_000)
"""Minimum and maximum of ``reach``, in points (O6)."""


DICE = DiceField(Integer(1, 6), maximum=SIX)
SCORE = Integer(-1_000_000_000, 1_000_000_000)

POSITION: FieldTable[Turn] = FieldTable(
    Position,
    card=Field(
        Enumerated(*CARDS),
        CARDS.__getitem__,
        lambda turn: turn.card.id if isinstance(turn, Position) and turn.card else None,
        fallen=True,
    ),
    keeps=Field(
        ListOf(DICE, maximum=SIX),
        lambda keeps: tuple(map(tuple, keeps)),
        attrgetter("aside.keeps"),
        of=Position,
    ),
    roll=Field(DICE, as_dice, fallen=True),
    dice_to_roll=Field(Integer(0, SIX)),
    turn_points=Field(
        Integer(0, 1_010_000, step=STEP),
        write=attrgetter("earned"),
        default=0,
        of=Position,
    ),
    carried=Field(Integer(0, 1_000_000, step=STEP), plain, default=0),
    tuttos=Field(Integer(0, 1000), plain, default=0),
    pending_deductions=Field(Integer(0, MOST_PENDING), plain, default=0),
    scores=Field(ListOf(SCORE, *PLAYERS), tuple),
    player=Field(Integer(0, PLAYERS[1] - 1), plain),
    last_round=Field(Boolean(), plain, is_unshown_last_round, default=False),
    turns_left=Field(Integer(0, PLAYERS[1] - 1), plain, turns_left_of, default=0),
    starter=Field(Integer(0, PLAYERS[1] - 1), plain, default=0),
    phase=Field(Enumerated(*Phase)),
    outcome=outcome(Over, "reason", "points", "wins_game"),
)

EVENTS: Mapping[str, FieldTable[Event]] = {
    "draw": FieldTable(Draw, card=Field(Enumerated(*CARDS), CARDS.__getitem__, fallen=True)),
    "roll": FieldTable(Roll, dice=Field(DICE, tuple, fallen=True)),
    "keep": FieldTable(SetAside, dice=Field(DICE.as_required(), tuple)),
    "bank": FieldTable(Bank),
}

SHAPES = Shapes(
    PLAYERS,
    POSITION,
    EVENTS,
    sheet={"scores": POSITION.writer("scores")},
    ends_turn="T6.1",
    odds={
        "aim": Enumerated(*Aim),
        "reach": Integer(*REACH, step=STEP),
        "pile": Nested(define("TuttoPile", {card: Integer(0, len(PILE)) for card in CARDS})),
    },
    aim={"aim": Enumerated(Aim.POINTS, Aim.WIN)},
    saved={"triggered": Boolean(), "hidden": Nullable(ListOf(Integer(0, len(PILE) - 1)))},
)


def turn_document(turn: Turn) -> Json:
    """Returns a position to post back, without defaults, or the end of a turn."""
    return turn_fields(turn) | POSITION.written(turn)


class TuttoDocuments(Game[Ruleset, Position, GameState, Question]):
    shapes = SHAPES

    def read_position(self, document: Document, as_sent: bool = False) -> Position:
        rules, values = self.rules_of(document), POSITION.read(document, as_sent)
        card, roll, carried, tuttos, pending, scores, player, left, starter, keeps, last = values
        aside, dice = NOTHING_ASIDE, tuple if as_sent else as_dice
        if keeps:
            aside = _aside(scoring_of(rules), keeps, card is STRAIGHT, dice)
        reached = scores is not None and max(scores) >= rules.target
        return Position(
            rules,
            card,
            aside,
            roll,
            carried,
            tuttos,
            pending,
            scores,
            player,
            bool(last or left or reached),
            left,
            starter,
        )

    def adjudication(self, position: Position) -> Json:
        """Returns the verdict on the roll of this position: legal keeps, bank or end, and rules."""
        verdict = position.verdict()
        result, end, most = verdict.roll_result, verdict.end, verdict.roll_result.can.most
        keeps = [position.keep_result(keep, stop=False) for keep in result.can.keeps]
        bank = None
        if end is not None and most is not None:
            bank = self._keep(position.keep_result(most, stop=True), end)
        return {
            **ruleset_fields(position.rules),
            "turn_points": verdict.earned,
            "status": result.status,
            "legal_keeps": [self._keep(keep, position.go_on(keep)) for keep in keeps],
            "bank": bank,
            "next": None if end is None or bank is not None else self.turn_document(end),
            "rules": sorted(verdict.rules),
        }

    def _keep(self, result: KeepResult, following: Turn) -> Json:
        return {
            "dice": result.keep.dice,
            "points": result.keep.points,
            "bonus": result.bonus,
            "turn_points": result.turn_points,
            "tutto": result.tutto,
            "lines": [line._asdict() for line in result.keep.lines],
            "effects": [self.effect_document(effect) for effect in result.due.taken],
            "next": self.turn_document(following),
        }

    def odds_document(self, question: Question, odds: Odds) -> Json:
        return {
            **ruleset_fields(question.position.rules),
            "aim": aim_of(question.reach, question.win),
            "reach": question.reach,
            "accuracy": win_chances(question.position.rules.id).error if question.win else None,
            "pile": {card.id: copies for card, copies in zip(DECK, odds.pile, strict=True)},
            "value": odds.value,
            "choices": [self._choice(choice) for choice in odds.choices],
            "best": odds.best,
            "roll": odds.roll and {**_roll_document(odds.roll), "value": odds.value},
            "cards": [
                {
                    "card": draw.card.id,
                    "chance": fraction_document(draw.chance),
                    "value": draw.value,
                }
                for draw in odds.cards
            ],
            "rules": sorted(odds.rules),
        }

    def _choice(self, choice: Choice) -> Json:
        return {
            "event": _event_document(self, choice.event),
            "value": choice.value,
            "next_roll": choice.next_roll and _roll_document(choice.next_roll),
        }

    def state_document(self, state: GameState) -> Json:
        return {"scores": state.scores, "sheet": state.sheet}


@lru_cache(maxsize=8192)
def _aside(
    scoring: Scoring, keeps: tuple[Dice, ...], straight: bool, dice: Callable[[Any], Dice]
) -> Aside:
    return scoring.aside(tuple(map(dice, keeps)), straight)


def aim_of(reach: int | None, win: bool) -> Aim:
    return Aim.WIN if win else Aim.POINTS if reach is None else Aim.REACH


@lru_cache(maxsize=1024)
def _event_document(game: TuttoDocuments, event: Event) -> Json:
    return game.event_document(event)


@cache
def _roll_document(roll: NextRoll) -> Json:
    return {
        "dice": roll.dice,
        "niete": fraction_document(roll.niete),
        "tutto": fraction_document(roll.tutto),
    }
