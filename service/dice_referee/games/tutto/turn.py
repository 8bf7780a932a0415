"""Flow of a turn: the result of a roll, the effect of a keep, and the end of the turn."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple

from dice_referee.games.tutto.cards import (
    CLOVER,
    DECK,
    DOUBLE,
    FIREWORK,
    PLUS_MINUS,
    STRAIGHT,
    Card,
)
from dice_referee.games.tutto.leaders import NOTHING_DUE, Deductions, deduct
from dice_referee.games.tutto.position import MOST_PENDING, Phase, Position
from dice_referee.games.tutto.rulesets import (
    Deduction,
    DoubleScope,
    Ending,
    PlusMinusPays,
    Ruleset,
)
from dice_referee.games.tutto.scoring import NO_KEEPS, Allowed, Keep, Scoring, scoring_of, shared
from dice_referee.rulebook.dice import Dice


class RollStatus(StrEnum):
    """Kind of a roll under a card."""

    NIETE = "niete"
    SCORING = "scoring"
    TUTTO = "tutto"


class Reason(StrEnum):
    """Reason for the end of a turn."""

    BANKED = "banked"
    NIETE = "niete"
    STOP = "stop"
    FIREWORK = "firework"
    CLOVER = "clover"
    SAT_OUT = "sat-out"


class Over(NamedTuple):
    """Turn that has ended; ``scores`` include its ``points``."""

    rules: Ruleset
    reason: Reason
    points: int
    """Points that the turn has written."""
    wins_game: bool | None
    """True if the turn ends the game and the player is among the winners; None if unknown."""
    scores: tuple[int, ...] | None
    player: int | None
    due: Deductions = NOTHING_DUE
    """Deductions made at the end of the turn (T5.5d)."""
    phase: Literal[Phase.OVER] = Phase.OVER


Turn = Position | Over


class KeepResult(NamedTuple):
    """Effect of a legal keep on the turn."""

    keep: Keep
    bonus: int
    """Points that the card adds: its prize, or the points that it doubles."""
    turn_points: int
    """Points that the turn holds after the keep."""
    lost: int
    """Points of the turn that the card's own points replace (T5.5h)."""
    tutto: bool
    """True if the keep makes a Tutto (T3.1)."""
    due: Deductions
    """Deductions that the keep causes, before the turn writes any points."""


@dataclass(frozen=True, slots=True, eq=False)
class RollResult:
    """Result of a roll under a card, whatever points the turn holds. Compared by identity."""

    can: Allowed
    """Legal keeps."""
    rolled: int
    """Number of dice rolled."""
    status: RollStatus
    tutto: bool
    """True if the keep of every scoring die makes a Tutto (T3.1)."""
    banks: bool
    """True if the player may bank every scoring die of the roll (T2.5)."""
    rules: frozenset[str]
    """Numbers of the rules behind the result."""


class Verdict(NamedTuple):
    """Verdict on a roll: its keeps, their effects, and the end of the turn if one is possible.

    Every keep of ``roll_result.can`` is legal. A keep that leaves dice to roll adds its points to
    ``earned``. The keep that leaves none is ``tutto``. If the player may bank, ``end`` is the end
    by the bank: it writes ``earned``, the points of every scoring die, and the bonus of a Tutto.
    """

    roll_result: RollResult
    earned: int
    """Points of the turn before this roll."""
    tutto: KeepResult | None
    end: Over | None
    """End of the turn by the bank or by the Niete; None if the player must go on."""
    rules: frozenset[str]
    """Numbers of the rules behind the verdict."""


NO_RESULT = RollResult(NO_KEEPS, 0, RollStatus.NIETE, False, False, frozenset())


def roll_result(position: Position) -> RollResult:
    """Returns the result of the roll on the table; NO_RESULT without a card or a roll."""
    card, roll = position.card, position.roll
    if card is None or roll is None:
        return NO_RESULT
    free = position.free_faces if card is STRAIGHT else roll
    return _result_for(scoring_of(position.rules), card.rule, free, len(roll))


@cache
def _result_for(scoring: Scoring, rule: str, free: Dice, rolled: int) -> RollResult:
    """Returns the result under the cards of this rule; bonus cards differ only in their prize.

    ``free`` are the dice rolled; on a straight, only the faces not set aside yet. There are some
    6000 combinations.
    """
    card = next(card for card in DECK if card.rule == rule)
    return _result(card, scoring.allowed_on(card, free), rolled)


@cache
def _result(card: Card, can: Allowed, rolled: int) -> RollResult:
    if can.most is None:
        niete = shared(frozenset({"T2.1"} if card.may_stop else {"T2.1", card.rule}))
        return RollResult(can, rolled, RollStatus.NIETE, False, False, niete)
    tutto = len(can.most.dice) == rolled
    # Some cards allow the bank only at a Tutto; clover and firework never allow it.
    banks = card.may_stop or (tutto and not card.most_tuttos)
    cites = {"T2.2"} | can.rules
    if banks:
        cites.add("T2.5")
    if tutto:
        cites |= rules_of_tutto(card)
    if not card.may_stop:
        cites.add(card.rule)
    status = RollStatus.TUTTO if tutto else RollStatus.SCORING
    return RollResult(can, rolled, status, tutto, banks, shared(frozenset(cites)))


def adjudicate(position: Position) -> Verdict:
    """Returns the verdict on the roll on the table. The position must be in phase ``keep``."""
    earned = position.earned
    result = roll_result(position)
    cites = _joined(result.rules, position.aside.rules)
    most, tutto, end = result.can.most, None, None
    if most is None:
        end = niete(position)
    elif result.tutto:
        tutto = keep_result(position, most, stop=False)
        if tutto.due.rules:
            cites |= tutto.due.rules
        if tutto.lost:
            cites |= {"T5.5h"}
    if most is not None and result.banks:
        if tutto is not None or position.pending_deductions:
            banked = keep_result(position, most, stop=True)
            end = finish(position, Reason.BANKED, banked.turn_points, banked.due)
        else:
            # The common case: the dice earn their points, without bonus or deductions.
            end = finish(position, Reason.BANKED, earned + most.points)
    if end is not None:
        cites = rules_of_end(position, end, cites)
    return Verdict(result, earned, tutto, end, cites)


@cache
def _joined(roll_rules: frozenset[str], aside_rules: frozenset[str]) -> frozenset[str]:
    return roll_rules | aside_rules


def keep_result(position: Position, keep: Keep, *, stop: bool) -> KeepResult:
    """Returns the points and deductions of a legal keep; ``stop`` banks it."""
    card, points = position.card, position.earned + keep.points
    tutto, bonus, lost = len(keep.dice) == position.dice_to_roll, 0, 0
    if tutto and card is DOUBLE:
        doubles_carried = position.rules.double_scope is DoubleScope.TURN
        bonus = points if doubles_carried else points - position.carried
    elif tutto and card is not None:
        bonus = card.prize
    times = position.pending_deductions if stop else 0
    if tutto and card is PLUS_MINUS:
        times += stop or position.rules.deduction is Deduction.ON_TUTTO
        if position.rules.plus_minus_pays is PlusMinusPays.EXACTLY:
            lost = points
    due = deduct(position.rules, position.scores, position.player, times, position.carried)
    return KeepResult(keep, bonus, points - lost + bonus, lost, tutto, due)


def go_on(position: Position, result: KeepResult) -> Turn:
    """Returns the turn after setting the dice aside without banking (T2.5, T3.2)."""
    rules, card = position.rules, position.card
    tuttos, pending = position.tuttos, position.pending_deductions
    if not result.tutto:
        keeps = (*position.aside.keeps, result.keep.dice)
        aside = scoring_of(rules).aside(keeps, card is STRAIGHT)
        return position._replace(aside=aside, roll=None)
    if card is CLOVER and tuttos:
        return finish(position, Reason.CLOVER, 0)._replace(wins_game=True)
    if card is CLOVER or card is FIREWORK:
        # The number of Tuttos decides nothing on a firework, so it may stay at its maximum.
        tuttos = min(tuttos + 1, card.most_tuttos)
    else:
        if card is PLUS_MINUS and rules.deduction is Deduction.ON_BANK:
            pending = min(pending + 1, MOST_PENDING)
        card, tuttos = None, 0
    return Position(
        rules,
        card,
        carried=result.turn_points,
        tuttos=tuttos,
        pending_deductions=pending,
        scores=result.due.scores,
        player=position.player,
        last=position.last,
    )


def niete(position: Position) -> Over:
    """Returns the end of a turn by a Niete: 0 points (T2.1), on a firework all of them (T5.2)."""
    if position.card is FIREWORK:
        return settle(position, Reason.FIREWORK, position.earned)
    return finish(position, Reason.NIETE, 0)


def settle(position: Position, reason: Reason, points: int) -> Over:
    """Returns the end of a turn that writes ``points`` after its pending deductions (T5.5d)."""
    times, carried = position.pending_deductions, position.carried
    due = deduct(position.rules, position.scores, position.player, times, carried)
    return finish(position, reason, points, due)


def finish(position: Position, reason: Reason, points: int, due: Deductions | None = None) -> Over:
    """Returns the end of a turn that writes ``points`` after ``due``; it may win (T6.3)."""
    rules, player = position.rules, position.player
    scores = position.scores if due is None else due.scores
    wins: bool | None = None
    if scores is not None and player is not None:
        if points:
            sheet = list(scores)
            sheet[player] += points
            scores = tuple(sheet)
        if rules.ending is Ending.AT_ONCE:
            # No other score has reached the target: the game would be over.
            wins = scores[player] >= rules.target
    return Over(rules, reason, points, wins, scores, player, due or NOTHING_DUE)


def rules_of_tutto(card: Card) -> frozenset[str]:
    """Returns the numbers of the rules by which a Tutto pays and the turn goes on."""
    return frozenset({"T3.1", card.rule} if card.most_tuttos else {"T3.1", "T3.2", card.rule})


def rules_of_end(position: Position, end: Over, cites: frozenset[str]) -> frozenset[str]:
    """Returns ``cites`` and the rules by which points are lost, leaders pay and the game is won."""
    if position.carried and end.reason is Reason.NIETE:
        cites |= {"T3.3"}
    if end.due.rules:
        cites |= end.due.rules
    if end.wins_game:
        cites |= {"T6.3"} if end.reason is Reason.CLOVER else {"T6.2", "T6.3"}
    return cites
