"""JSON of POT: shapes of requests, positions from documents, and documents of answers."""

from collections.abc import Mapping
from typing import Any

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import Game
from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Event, Roll
from dice_referee.games.pot.position import LAST_ROLL, Over, Phase, Position, Turn
from dice_referee.games.pot.rewards import Reward
from dice_referee.games.pot.rulesets import MOST_COINS, PLAYERS, Ruleset
from dice_referee.games.pot.scoring import LETTERS, MOST_POINTS, THREE, as_dice
from dice_referee.games.pot.state import GameState
from dice_referee.games.pot.values.duels import win_chances
from dice_referee.games.pot.values.odds import Aim, Choice, Odds, Question
from dice_referee.rulebook.game import AnyEffect, Document, Json, Step
from dice_referee.rulebook.odds import fraction_document
from dice_referee.validation import fields
from dice_referee.validation.fields import Dice as DiceField
from dice_referee.validation.fields import Enumerated, Integer, ListOf, Nullable, Unreadable
from dice_referee.validation.shapes import Field, FieldTable, Shapes, outcome, plain

# Shapes -------------------------------------------------------------------------------------------


NUMBERS = (1, 5)
"""Bounds of the numbers on a die (P1.1)."""


class FaceField(fields.WireField):
    """Face of a die: an integer from 1 to 5, or one of the letters (P1.1)."""

    choices = (*range(NUMBERS[0], NUMBERS[1] + 1), *LETTERS)

    def field_errors(self, value: Any) -> fields.FieldErrors:
        if type(value) in (int, str) and value in self.choices:
            return None
        params = {"given": value} if isinstance(value, str) else {}
        return fields.field_error("not-a-choice", choices=self.choices, **params)


class Faces(DiceField):
    """Dice by their faces. In a query they are a run of numbers and letters: ``3P4``."""

    def read_text(self, text: str) -> list[Any]:
        if not text.isalnum() and (meant := self.run_meant(text)):
            raise Unreadable("faces", meant)
        # The schema lists the possible faces.
        return self.faces(text)


DICE = Faces(FaceField(), maximum=THREE)
COINS = Integer(0, MOST_COINS, required=True)
PLAYER = Integer(0, PLAYERS[1] - 1)

POSITION: FieldTable[Turn] = FieldTable(
    Position,
    roll=Field(DICE, as_dice, fallen=True),
    held=Field(DICE, as_dice, later=True),
    rolls_made=Field(Integer(1, LAST_ROLL), plain, fallen=True),
    coins=Field(ListOf(COINS, *PLAYERS, required=True), write=lambda turn: turn.coins.players),
    pot=Field(COINS, write=lambda turn: turn.coins.pot),
    bank=Field(COINS, write=lambda turn: turn.coins.bank),
    player=Field(PLAYER.as_required(), plain),
    holder=Field(Nullable(PLAYER), plain),
    to_beat=Field(Nullable(Integer(1, MOST_POINTS)), plain),
    tied=Field(ListOf(PLAYER, *PLAYERS), tuple, later=True),
    sums=Field(ListOf(Integer(0, MOST_POINTS), maximum=PLAYERS[1]), tuple, later=True),
    phase=Field(Enumerated(*Phase)),
    outcome=outcome(Over, "reason", "winner"),
)

EVENTS: Mapping[str, FieldTable[Event]] = {
    "roll": FieldTable(Roll, held=Field(DICE, tuple), dice=Field(DICE, tuple, fallen=True)),
    "accept": FieldTable(Accept, players=Field(ListOf(PLAYER, maximum=PLAYERS[1]), tuple)),
}

SHEET = {name: POSITION.writer(name) for name in ("coins", "pot", "bank")}
AIM = {"aim": Enumerated(*Aim)}
SAVED = {"followed": ListOf(DICE), "hidden": Nullable(DICE)}
SHAPES = Shapes(
    PLAYERS,
    POSITION,
    EVENTS,
    SHEET,
    ends_turn="P5.1",
    odds=AIM,
    aim=AIM,
    saved=SAVED,
)


class PotDocuments(Game[Ruleset, Position, GameState, Question]):
    shapes = SHAPES

    def read_position(self, document: Document, as_sent: bool = False) -> Position:
        values = POSITION.read(document, as_sent)
        return Position(self.rules_of(document), self.coins_of(document), *values)

    def coins_of(self, document: Document) -> Coins:
        return Coins(tuple(document["coins"]), document["pot"], document["bank"])

    def adjudication(self, position: Position) -> Json:
        verdict = position.verdict()
        return {
            **ruleset_fields(position.rules),
            "sum": verdict.points,
            "status": verdict.status,
            "combo": None if verdict.combo is None else verdict.combo.id,
            "beats": verdict.beats,
            "next_roll": verdict.next_roll,
            "choices": [self._reward(choice, step) for choice, step in verdict.rewards],
            "next": None if verdict.end is None else self.turn_document(verdict.end.turn),
            "rules": sorted(verdict.rules),
        }

    def _reward(self, choice: Reward, step: Step[Turn]) -> Json:
        return {
            "players": choice.players,
            "coins": choice.coins.players,
            "bank": choice.coins.bank,
            "pot": choice.coins.pot,
            "effects": [self.effect_document(effect) for effect in choice.effects],
            "next": self.turn_document(step.turn),
        }

    def odds_document(self, question: Question, odds: Odds) -> Json:
        rules = question.position.rules
        return {
            **ruleset_fields(rules),
            "aim": question.aim,
            "accuracy": win_chances(rules.id).error if question.aim is Aim.WIN else None,
            "value": float(question.value()),
            "choices": [self._choice(choice) for choice in odds.choices],
            "best": odds.best,
            "rules": sorted(odds.rules),
        }

    def _choice(self, choice: Choice) -> Json:
        return {
            "event": self.event_document(choice.event),
            "beats": None if choice.beats is None else fraction_document(choice.beats),
            "sum": None if choice.sum is None else fraction_document(choice.sum),
            "combos": [
                {"combo": combo.id, "chance": fraction_document(chance)}
                for combo, chance in choice.combos
            ],
            "price": choice.price,
            "win": choice.win,
        }

    def state_document(self, state: GameState) -> Json:
        return {
            **self.sheet_document(state.turn),
            "sheet": state.sheet,
            "rounds": [won._asdict() for won in state.rounds],
        }

    def effect_document(self, effect: AnyEffect) -> Json:
        return {name: value for name, value in effect._asdict().items() if value is not None}
