"""What a roll allows, what each keep leads to, and how a turn ends."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple

from service.games.tutto import scoring
from service.games.tutto.cards import CLOVER, DECK, DOUBLE, FIREWORK, PLUS_MINUS, STRAIGHT, Card
from service.games.tutto.leaders import NOTHING_DUE, Deductions, deduct
from service.games.tutto.position import MOST_PENDING, Phase, Position
from service.games.tutto.rulesets import (
    Deduction,
    DoubleScope,
    Ending,
    FireworkKeep,
    PlusMinusPays,
    Ruleset,
)
from service.games.tutto.scoring import Allowed, Keep, aside
from service.rules.dice import Dice


class RollStatus(StrEnum):
    """What a roll is."""

    NIETE = "niete"
    SCORING = "scoring"
    TUTTO = "tutto"


class Reason(StrEnum):
    """Why a turn is over."""

    BANKED = "banked"
    NIETE = "niete"
    STOP = "stop"
    FIREWORK = "firework"
    CLOVER = "clover"
    SAT_OUT = "sat-out"


class Over(NamedTuple):
    """A turn that has ended. ``points`` have been written into ``scores``."""

    rules: Ruleset
    reason: Reason
    points: int
    wins_game: bool | None
    """Whether this ends the game and the player is among the winners; None: not known."""
    scores: tuple[int, ...] | None
    player: int | None
    due: Deductions = NOTHING_DUE
    """What leaders lost by the end itself (T5.5d)."""
    phase: Literal[Phase.OVER] = Phase.OVER


Turn = Position | Over


class KeepResult(NamedTuple):
    """Dice that can be set aside, and what they do to the turn."""

    keep: Keep
    bonus: int
    """What the card adds because of this keep: a prize or the doubling."""
    turn_points: int
    """Everything that the turn holds afterwards."""
    lost: int
    """Carried points in whose place the card pays (T5.5h)."""
    tutto: bool
    due: Deductions
    """What leaders lose by it, before any points of the turn are written."""


@dataclass(frozen=True, slots=True, eq=False)
class RollResult:
    """What a card makes of a roll, whatever the turn holds so far. Compared by identity."""

    can: Allowed
    rolled: int
    """How many dice."""
    status: RollStatus
    tutto: bool
    """Whether every die of the roll scores (T3.1)."""
    banks: bool
    """Whether the player may stop with every scoring die of the roll (T2.5)."""
    rules: frozenset[str]
    """The rules that this rests on."""


class Verdict(NamedTuple):
    """What a roll allows.

    Every keep of ``roll_result.can`` is legal. One that leaves dice to roll only adds its points
    to ``earned``; the one that leaves none is ``tutto``. ``end`` describes a bank: its points
    are those of the keep and of the turn before, and the bonus is that of the Tutto.
    """

    roll_result: RollResult
    earned: int
    """Points of the turn before this roll."""
    tutto: KeepResult | None
    end: Over | None
    """How the turn ends by banking, or has ended with a Niete."""
    rules: frozenset[str]


NO_RESULT = RollResult(scoring.NO_KEEPS, 0, RollStatus.NIETE, False, False, frozenset())


def roll_result(position: Position) -> RollResult:
    """What the roll on the table is under the card; NO_RESULT if there is none."""
    card, roll = position.card, position.roll
    if card is None or roll is None:
        return NO_RESULT
    free = position.free_faces if card is STRAIGHT else roll
    forced = card is FIREWORK and position.rules.firework_keep is FireworkKeep.ALL
    return _result_for(card.rule, free, len(roll), forced)


@cache
def _result_for(rule: str, free: Dice, rolled: int, forced: bool) -> RollResult:
    """The result under the cards of this rule: bonus cards differ in their prize only.

    ``free`` are the dice rolled, on a straight the faces that are not set aside yet; ``forced``
    says that every scoring die has to be. There are some 6000 such rolls.
    """
    card = next(card for card in DECK if card.rule == rule)
    if card is STRAIGHT:
        can = scoring.allowed_on_straight(free)
    elif forced:
        can = scoring.allowed_on_firework(free)
    else:
        can = scoring.allowed(free, card.dice_earn)
    return _result(card, can, rolled)


@cache
def _result(card: Card, can: Allowed, rolled: int) -> RollResult:
    if can.most is None:
        niete = scoring.shared(frozenset({"T2.1"} if card.may_stop else {"T2.1", card.rule}))
        return RollResult(can, rolled, RollStatus.NIETE, False, False, niete)
    tutto = len(can.most.dice) == rolled
    # On some cards only a Tutto can be banked, on clover and firework nothing.
    banks = card.may_stop or (tutto and not card.most_tuttos)
    cites = {"T2.2"} | can.rules
    if banks:
        cites.add("T2.5")
    if tutto:
        cites |= rules_of_tutto(card)
    if not card.may_stop:
        cites.add(card.rule)
    status = RollStatus.TUTTO if tutto else RollStatus.SCORING
    return RollResult(can, rolled, status, tutto, banks, scoring.shared(frozenset(cites)))


def adjudicate(position: Position) -> Verdict:
    """What the roll on the table allows. The position is in phase ``keep``."""
    earned = position.earned
    seen = roll_result(position)
    cites = _joined(seen.rules, position.aside.rules)
    most, tutto, end = seen.can.most, None, None
    if most is None:
        end = niete(position)
    elif seen.tutto:
        tutto = keep_result(position, most, stop=False)
        if tutto.due.rules:
            cites |= tutto.due.rules
        if tutto.lost:
            cites |= {"T5.5h"}
    if most is not None and seen.banks:
        if tutto is not None or position.pending_deductions:
            banked = keep_result(position, most, stop=True)
            end = finish(position, Reason.BANKED, banked.turn_points, banked.due)
        else:
            # Most keeps: they earn their points and cause nothing.
            end = finish(position, Reason.BANKED, earned + most.points)
    if end is not None:
        cites = rules_of_end(position, end, cites)
    return Verdict(seen, earned, tutto, end, cites)


@cache
def _joined(some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return some | others


def keep_result(position: Position, keep: Keep, *, stop: bool) -> KeepResult:
    """What this keep earns and causes, going on or stopping with it."""
    card, points = position.card, position.earned + keep.points
    tutto, bonus, lost = len(keep.dice) == position.dice_to_roll, 0, 0
    if tutto and card is DOUBLE:
        whole_turn = position.rules.double_scope is DoubleScope.TURN
        bonus = points if whole_turn else points - position.carried
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
    """Where the turn stands after the dice were set aside without banking (T2.5, T3.2)."""
    rules, card = position.rules, position.card
    tuttos, pending = position.tuttos, position.pending_deductions
    if not result.tutto:
        kept = aside((*position.aside.keeps, result.keep.dice), card is STRAIGHT)
        return position._replace(aside=kept, roll=None)
    if card is CLOVER and tuttos:
        return finish(position, Reason.CLOVER, 0)._replace(wins_game=True)
    if card is CLOVER or card is FIREWORK:
        # More than a thousand make no difference: on a firework the number decides nothing.
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
    """The end of a turn whose roll lets nothing be set aside (T2.1); a firework pays (T5.2)."""
    if position.card is FIREWORK:
        return settle(position, Reason.FIREWORK, position.earned)
    return finish(position, Reason.NIETE, 0)


def settle(position: Position, reason: Reason, points: int) -> Over:
    """Writes the points of a turn after the deductions that waited for it (T5.5d)."""
    times, carried = position.pending_deductions, position.carried
    due = deduct(position.rules, position.scores, position.player, times, carried)
    return finish(position, reason, points, due)


def finish(position: Position, reason: Reason, points: int, due: Deductions | None = None) -> Over:
    """The turn over, its points written after what is due; that may end the game (T6.3)."""
    rules, player = position.rules, position.player
    scores = position.scores if due is None else due.scores
    wins: bool | None = None
    if scores is not None and player is not None:
        if points:
            sheet = list(scores)
            sheet[player] += points
            scores = tuple(sheet)
        if rules.ending is Ending.AT_ONCE:
            wins = scores[player] >= rules.target and scores[player] == max(scores)
    return Over(rules, reason, points, wins, scores, player, due or NOTHING_DUE)


def rules_of_tutto(card: Card) -> frozenset[str]:
    """The rules by which a Tutto pays and the turn goes on."""
    return frozenset({"T3.1", card.rule} if card.most_tuttos else {"T3.1", "T3.2", card.rule})


def rules_of_end(position: Position, end: Over, cites: frozenset[str]) -> frozenset[str]:
    """These rules, and those by which points are lost, leaders pay and the game is won."""
    if position.carried and end.reason is Reason.NIETE:
        cites |= {"T3.3"}
    if end.due.rules:
        cites |= end.due.rules
    if end.wins_game:
        cites |= {"T6.3"} if end.reason is Reason.CLOVER else {"T6.2", "T6.3"}
    return cites
