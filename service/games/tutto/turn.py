"""What a roll allows, what each keep leads to, and how a turn ends."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from service.games.tutto import scoring
from service.games.tutto.cards import CLOVER, DECK, DOUBLE, FIREWORK, PLUS_MINUS, STRAIGHT, Card
from service.games.tutto.leaders import Deducted, deduct
from service.games.tutto.position import Position
from service.games.tutto.rulesets import (
    Deduction,
    DoubleScope,
    Ending,
    FireworkKeep,
    Ruleset,
    ScoreFloor,
)
from service.games.tutto.scoring import NOTHING_ASIDE, Allowed, Keep, aside
from service.rules.dice import Dice


class Status(StrEnum):
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
    """Whether this ends the game and the player is among the winners; None: cannot be told."""
    scores: tuple[int, ...] | None
    player: int | None
    deducted: tuple[Deducted, ...]
    """What leaders lost by the end itself (T5.5d)."""


Turn = Position | Over


class Stake(NamedTuple):
    """Dice that can be set aside, and what they do to the turn."""

    keep: Keep
    bonus: int
    """What the card adds because of this keep: a prize or the doubling."""
    turn_points: int
    """Everything that the turn holds afterwards."""
    tutto: bool
    deducted: tuple[Deducted, ...]
    scores: tuple[int, ...] | None
    """The sheet after the deductions, before any points of the turn are written."""


@dataclass(frozen=True, slots=True, eq=False)
class Prospect:
    """What a card makes of a roll, whatever the turn holds so far. Compared by identity."""

    can: Allowed
    left: int
    """Dice rolled."""
    status: Status
    tutto: bool
    """Whether every die of the roll scores (T3.1)."""
    banks: bool
    """Whether the player may stop with every scoring die of the roll (T2.5)."""
    rules: frozenset[str]
    """The rules that this rests on."""


class Verdict(NamedTuple):
    """What a roll allows.

    Every keep of ``prospect.can`` is legal. One that leaves dice to roll only adds its points to
    ``earned``; the one that leaves none is ``tutto``. ``end`` tells all about a bank: its points
    are those of the keep and of the turn before, and the bonus is that of the Tutto.
    """

    prospect: Prospect
    earned: int
    """Points of the turn before this roll."""
    tutto: Stake | None
    end: Over | None
    """How the turn ends by banking, or has ended with a Niete."""
    rules: frozenset[str]


BANKED, NIETE, AT_ONCE = Reason.BANKED, Reason.NIETE, Ending.AT_ONCE
"""What every answer asks for by name: an enum takes ten times as long to find a member."""

NO_ROLL = Prospect(scoring.NOTHING, 0, Status.NIETE, False, False, frozenset())


def prospect(position: Position) -> Prospect:
    """What the roll on the table is under the card; NO_ROLL if there is none."""
    _, card, _, roll, _, _, _, _, _ = position
    if card is None or roll is None:
        return NO_ROLL
    free = position.free_faces if card is STRAIGHT else roll
    forced = card is FIREWORK and position.rules.firework_keep is FireworkKeep.ALL
    return _seen(card.rule, free, len(roll), forced)


@cache
def _seen(rule: str, free: Dice, left: int, forced: bool) -> Prospect:
    """The prospect under the cards of this rule: bonus cards differ in their prize only.

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
    return _prospect(card, can, left)


@cache
def _prospect(card: Card, can: Allowed, left: int) -> Prospect:
    if can.most is None:
        cites = {"T2.1"} if card.may_stop else {"T2.1", card.rule}
        return Prospect(can, left, Status.NIETE, False, False, scoring.shared(cites))
    tutto = len(can.most.dice) == left
    # On some cards only a Tutto can be banked, on clover and firework nothing.
    banks = card.may_stop or (tutto and not card.most_tuttos)
    cites = {"T2.2"} | can.rules
    if banks:
        cites.add("T2.5")
    if tutto:
        cites |= {"T3.1", card.rule} if card.most_tuttos else {"T3.1", "T3.2", card.rule}
    if not card.may_stop:
        cites.add(card.rule)
    status = Status.TUTTO if tutto else Status.SCORING
    return Prospect(can, left, status, tutto, banks, scoring.shared(cites))


def adjudicate(position: Position) -> Verdict:
    """What the roll on the table allows. The position is in phase ``keep``."""
    _, card, aside, _, earned, _, pending, scores, _ = position
    if card is not None and card.dice_earn:
        earned += aside.points
    seen = prospect(position)
    cites = _joined(seen.rules, aside.rules)
    most, tutto, end = seen.can.most, None, None
    if most is None:
        end = niete(position)
    elif seen.tutto:
        tutto = weigh(position, most, stop=False)
        if card is PLUS_MINUS:
            cites |= rules_of_deduction(position.rules)
    if most is not None and seen.banks:
        if tutto is not None or pending:
            end = bank(position, weigh(position, most, stop=True))
        else:
            # Most keeps: they earn their points and cause nothing.
            end = finish(position, BANKED, earned + most.points, scores)
    if end is not None:
        cites = rules_of_end(position, end, cites)
    return tuple.__new__(Verdict, (seen, earned, tutto, end, cites))


@cache
def _joined(some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return some | others


def weigh(position: Position, keep: Keep, *, stop: bool) -> Stake:
    """What this keep earns and causes, going on or stopping with it."""
    card, points = position.card, position.earned + keep.points
    tutto, bonus = len(keep.dice) == position.dice_to_roll, 0
    if tutto and card is DOUBLE:
        whole_turn = position.rules.double_scope is DoubleScope.TURN
        bonus = points if whole_turn else points - position.carried
    elif tutto and card is not None:
        bonus = card.prize
    times = position.pending if stop else 0
    if tutto and card is PLUS_MINUS:
        times += stop or position.rules.deduction is Deduction.ON_TUTTO
    taken, scores = deduct(position.rules, position.scores, position.player, times)
    return Stake(keep, bonus, points + bonus, tutto, taken, scores)


def go_on(position: Position, stake: Stake) -> Turn:
    """Where the turn stands after the dice were set aside without banking (T2.5, T3.2)."""
    rules, card, _, _, _, tuttos, pending, _, player = position
    if not stake.tutto:
        kept = aside((*position.aside.keeps, stake.keep.dice), card is STRAIGHT)
        return position._replace(aside=kept, roll=None)
    if card is CLOVER and tuttos:
        return finish(position, Reason.CLOVER, 0, position.scores)._replace(wins_game=True)
    if card is CLOVER or card is FIREWORK:
        # More than a thousand cannot be told apart: on a firework the number decides nothing.
        tuttos = min(tuttos + 1, card.most_tuttos)
    else:
        pending += card is PLUS_MINUS and rules.deduction is Deduction.ON_BANK
        card, tuttos = None, 0
    scores, carried = stake.scores, stake.turn_points
    return Position(rules, card, NOTHING_ASIDE, None, carried, tuttos, pending, scores, player)


def bank(position: Position, stake: Stake) -> Over:
    """The end of a turn whose player stops with this stake (T2.5)."""
    over = finish(position, BANKED, stake.turn_points, stake.scores)
    return over._replace(deducted=stake.deducted) if stake.deducted else over


def niete(position: Position) -> Over:
    """The end of a turn whose roll lets nothing be set aside (T2.1); a firework pays (T5.2)."""
    if position.card is FIREWORK:
        return settle(position, Reason.FIREWORK, position.earned)
    return finish(position, NIETE, 0, position.scores)


def settle(position: Position, reason: Reason, points: int) -> Over:
    """Write the points of a turn after the deductions that waited for it (T5.5d)."""
    rules, player = position.rules, position.player
    taken, scores = deduct(rules, position.scores, player, position.pending)
    return finish(position, reason, points, scores)._replace(deducted=taken)


def finish(position: Position, reason: Reason, points: int, scores: tuple[int, ...] | None) -> Over:
    """The turn over, its points written on this sheet; that may end the game (T6.3)."""
    rules, _, _, _, _, _, _, _, player = position
    wins: bool | None = None
    if scores is not None and player is not None:
        if points:
            sheet = list(scores)
            sheet[player] += points
            scores = tuple(sheet)
        if rules.ending is AT_ONCE:
            wins = points > 0 and scores[player] >= rules.target and scores[player] == max(scores)
    return tuple.__new__(Over, (rules, reason, points, wins, scores, player, ()))


def rules_of_deduction(rules: Ruleset) -> frozenset[str]:
    """The rules by which leaders lose points to a Plus/Minus Tutto."""
    floored = {"T5.5e"} if rules.score_floor is ScoreFloor.ZERO else set()
    return frozenset({"T5.5", "T5.5a", "T5.5d"} | floored)


def rules_of_end(position: Position, end: Over, cites: frozenset[str]) -> frozenset[str]:
    """These rules, and those by which points are lost, leaders pay and the game is won."""
    if position.carried and end.reason is NIETE:
        cites |= {"T3.3"}
    if end.deducted:
        cites |= rules_of_deduction(position.rules)
    return cites | {"T6.3"} if end.wins_game else cites
