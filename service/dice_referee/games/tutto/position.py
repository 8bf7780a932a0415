"""Position of a turn in progress: the verdict on its roll, the effect of a keep, and the end."""

from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple

from dice_referee.games.tutto.cards import CLOVER, FIREWORK, PLUS_MINUS, STRAIGHT, Card
from dice_referee.games.tutto.deck import Terms, cards_of
from dice_referee.games.tutto.leaders import NOTHING_DUE, Deductions, deduct
from dice_referee.games.tutto.rolls import NO_RESULT, RollResult, result_of
from dice_referee.games.tutto.rulesets import Deduction, Ending, Ruleset
from dice_referee.games.tutto.scoring import (
    NOTHING_ASIDE,
    Aside,
    Keep,
    scoring_of,
)
from dice_referee.rulebook.dice import Dice
from dice_referee.rulebook.findings import Finding

SIX = 6
"""Number of dice in the game (T1.1)."""

STEP = 50
"""Points of a single 5. All points and scores are multiples of it (T1.2)."""

MOST_PENDING = 1000
"""Maximum pending deductions in a turn (T5.5d)."""


class Phase(StrEnum):
    """Phase of a turn, named after the event that is due. Only answers contain ``over``."""

    DRAW = "draw"
    ROLL = "roll"
    KEEP = "keep"
    OVER = "over"


class Reason(StrEnum):
    BANKED = "banked"
    NIETE = "niete"
    STOP = "stop"
    FIREWORK = "firework"
    CLOVER = "clover"
    SAT_OUT = "sat-out"


class KeepResult(NamedTuple):
    keep: Keep
    bonus: int
    turn_points: int
    lost: int
    """Points of the turn that the card's own points replace (T5.5h)."""
    tutto: bool
    due: Deductions
    """Deductions that the keep causes, before the turn writes any points."""


@cache
def _union(roll_rules: frozenset[str], aside_rules: frozenset[str]) -> frozenset[str]:
    return roll_rules | aside_rules


class Over(NamedTuple):
    rules: Ruleset
    reason: Reason
    points: int
    wins_game: bool | None
    """True if the turn ends the game and the player is among the winners. None if unknown."""
    scores: tuple[int, ...] | None
    player: int | None
    due: Deductions = NOTHING_DUE
    """Deductions made at the end of the turn (T5.5d)."""
    last: bool = False
    """True once a score has reached the target, for the rest of the game (T6.5)."""
    turns_left: int = 0
    """Number of turns that follow in the last round."""
    starter: int = 0
    phase: Literal[Phase.OVER] = Phase.OVER
    legal_events: tuple[()] = ()

    def end(self, at: str) -> Finding:
        rule = CLOVER.rule if self.reason is Reason.CLOVER else "T6.3"
        return Finding("game-over", rule, at)


class Verdict(NamedTuple):
    """Verdict on a roll: its keeps, their effects, and the end of the turn if possible.

    Every keep of ``roll_result.can`` is legal. A keep that leaves dice to roll adds its points to
    ``earned``. The keep that leaves none is ``tutto``. If the player may bank, ``end`` is the end
    by the bank: it writes ``earned``, the points of every scoring die, and the bonus of a Tutto.
    """

    roll_result: RollResult
    earned: int
    """Points of the turn before this roll."""
    tutto: KeepResult | None
    end: Over | None
    """End of the turn by the bank or by the Niete, or None if the player must go on."""
    rules: frozenset[str]


class Position(NamedTuple):
    """Running turn. Scores are in points. Dice are sorted."""

    rules: Ruleset
    card: Card | None = None
    """Card drawn, or None before the draw."""
    aside: Aside = NOTHING_ASIDE
    roll: Dice | None = None
    """Roll on the table, or None before the dice fall."""
    carried: int = 0
    """Points at risk that the turn earned before the last roll of six dice (T3.2)."""
    tuttos: int = 0
    pending_deductions: int = 0
    """Number of Plus/Minus Tuttos in this turn whose deduction waits for the bank (T5.5d)."""
    scores: tuple[int, ...] | None = None
    """Score of each player, or None if unknown."""
    player: int | None = None
    """Number of the player whose turn it is, from 0, or None if unknown."""
    last: bool = False
    """True if this round is the last: a score reached the target earlier (T6.3, T6.5)."""
    turns_left: int = 0
    """Number of turns to the end of the game under ``one-more-turn``, this turn included.

    0 before a score reaches the target.
    """
    starter: int = 0
    """Number of the player who begins every round."""

    @property
    def phase(self) -> Phase:
        if self.card is None:
            return Phase.DRAW
        return Phase.ROLL if self.roll is None else Phase.KEEP

    @property
    def turns_after(self) -> int:
        """Number of turns that follow this turn in the last round. It needs scores (T6.3)."""
        players = len(self.scores or ())
        if self.rules.ending is Ending.ONE_MORE_TURN:
            return (self.turns_left or players) - 1
        return (self.starter - 1 - (self.player or 0)) % players

    @property
    def terms(self) -> Terms:
        """Terms of the card. It must have been drawn."""
        assert self.card is not None, "a card has been drawn"
        return cards_of(self.rules).terms[self.card]

    @property
    def dice_to_roll(self) -> int:
        """Number of dice not set aside: those of the next roll, or of the roll on the table."""
        return SIX - self.aside.number

    @property
    def free_faces(self) -> Dice:
        """Faces of the roll that are not set aside yet, each once, for a straight (T5.6)."""
        return tuple(sorted(set(self.roll or ()).difference(*self.aside.keeps)))

    @property
    def earned(self) -> int:
        """Points of the turn before this roll: carried, and of the dice set aside."""
        card = self.card
        return self.carried + self.aside.points if card and card.dice_earn else self.carried

    @property
    def roll_result(self) -> RollResult:
        """Returns the result of the roll on the table. It is NO_RESULT without a card or a roll."""
        card, roll = self.card, self.roll
        if card is None or roll is None:
            return NO_RESULT
        free = self.free_faces if card is STRAIGHT else roll
        return result_of(self.rules, card.rule, free, len(roll))

    def end(self, at: str) -> Finding | None:
        """Returns the finding against every event if a Niete has ended the turn."""
        card = self.card
        if card is None or self.roll is None or self.roll_result.can.most is not None:
            return None
        return Finding("turn-over", card.rule if card in (FIREWORK, STRAIGHT) else "T2.1", at)

    @property
    def legal_events(self) -> tuple[str, ...]:
        phase = self.phase
        if phase is not Phase.KEEP:
            return (phase.value,)
        result = self.roll_result
        if result.can.most is None:
            return ()
        return ("bank", "keep") if result.banks else ("keep",)

    def verdict(self) -> Verdict:
        """Returns the verdict on the roll on the table. The position must be in phase ``keep``."""
        earned = self.earned
        result = self.roll_result
        cites = _union(result.rules, self.aside.rules)
        most, tutto, end = result.can.most, None, None
        if most is None:
            end = self.niete()
        elif result.tutto:
            tutto = self.keep_result(most, stop=False)
            if tutto.due.rules:
                cites |= tutto.due.rules
            if tutto.lost:
                cites |= {"T5.5h"}
        if most is not None and result.banks:
            if tutto is not None or self.pending_deductions:
                end = self.bank(self.keep_result(most, stop=True))
            else:
                # The common case: the dice earn their points, without bonus or deductions.
                end = self.finish(Reason.BANKED, earned + most.points)
        if end is not None:
            cites = self.rules_of_end(end, cites)
        return Verdict(result, earned, tutto, end, cites)

    def keep_result(self, keep: Keep, *, stop: bool) -> KeepResult:
        """Returns the points and deductions of a legal keep. ``stop`` banks it."""
        card, points = self.card, self.earned + keep.points
        tutto, bonus, lost = len(keep.dice) == self.dice_to_roll, 0, 0
        if tutto:
            terms = self.terms
            bonus = terms.bonus(points, self.carried)
            lost = points if terms.replaces else 0
            stop = stop or terms.ends_turn
        times = self.pending_deductions if stop else 0
        if tutto and card is PLUS_MINUS:
            times += stop or self.rules.deduction is Deduction.ON_TUTTO
        due = deduct(self.rules, self.scores, self.player, times, self.carried)
        return KeepResult(keep, bonus, points - lost + bonus, lost, tutto, due)

    def go_on(self, result: KeepResult) -> "Turn":
        """Returns the turn after setting the dice aside without banking (T2.5, T3.2, T5.5i)."""
        rules, card = self.rules, self.card
        tuttos, pending = self.tuttos, self.pending_deductions
        if not result.tutto:
            keeps = (*self.aside.keeps, result.keep.dice)
            aside = scoring_of(rules).aside(keeps, card is STRAIGHT)
            return self._replace(aside=aside, roll=None)
        if card is CLOVER and tuttos:
            return self.finish(Reason.CLOVER, 0)._replace(wins_game=True, turns_left=0)
        if self.terms.ends_turn:
            return self.bank(result)
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
            player=self.player,
            last=self.last,
            turns_left=self.turns_left,
            starter=self.starter,
        )

    def bank(self, result: KeepResult) -> Over:
        """Returns the end of a turn that writes the points of a keep (T2.5)."""
        return self.finish(Reason.BANKED, result.turn_points, result.due)

    def niete(self) -> Over:
        """Returns the end by a Niete: 0 points (T2.1), on a firework all of them (T5.2)."""
        if self.card is FIREWORK:
            return self.settle(Reason.FIREWORK, self.earned)
        return self.finish(Reason.NIETE, 0)

    def settle(self, reason: Reason, points: int) -> Over:
        """Returns the end of a turn that writes ``points`` after its pending deductions (T5.5d)."""
        times, carried = self.pending_deductions, self.carried
        due = deduct(self.rules, self.scores, self.player, times, carried)
        return self.finish(reason, points, due)

    def finish(self, reason: Reason, points: int, due: Deductions | None = None) -> Over:
        """Returns the end of a turn that writes ``points`` after ``due``. It may win (T6.3)."""
        rules, player = self.rules, self.player
        scores = self.scores if due is None else due.scores
        last, turns_left = self.last, 0
        wins: bool | None = None
        if scores is not None and player is not None:
            if points:
                sheet = list(scores)
                sheet[player] += points
                scores = tuple(sheet)
            last = last or scores[player] >= rules.target
            if rules.ending is Ending.AT_ONCE:
                # No other score has reached the target: the game would be over.
                wins = last
            elif last:
                turns_left = self.turns_after
                if not turns_left:
                    wins = scores[player] == max(scores)
        due = due or NOTHING_DUE
        return Over(
            rules, reason, points, wins, scores, player, due, last, turns_left, self.starter
        )

    def rules_of_end(self, end: Over, cites: frozenset[str]) -> frozenset[str]:
        if self.carried and end.reason is Reason.NIETE:
            cites |= {"T3.3"}
        if end.due.rules:
            cites |= end.due.rules
        if end.wins_game is None:
            return cites | {"T6.2", "T6.3"} if end.last and not self.last else cites
        if end.reason is Reason.CLOVER:
            return cites | {"T6.3"}
        if end.rules.ending is not Ending.AT_ONCE:
            return cites | rules_of_ranking(end)
        return cites | {"T6.2", "T6.3"} if end.wins_game else cites


Turn = Position | Over


def is_unshown_last_round(turn: Turn) -> bool:
    """Tells if a full round is the last though no score shows it (T6.5)."""
    return turn.rules.ending is Ending.FULL_ROUND and _is_undone(turn)


def turns_left_of(turn: Turn) -> int:
    """Returns the number of turns to the end under ``one-more-turn``, 0 under other endings."""
    return turn.turns_left if turn.rules.ending is Ending.ONE_MORE_TURN else 0


def rules_of_ranking(end: Over) -> frozenset[str]:
    undone = {"T6.5"} if _is_undone(end) else frozenset[str]()
    return frozenset({"T6.2", "T6.3", "T6.4"}) | undone


def _is_undone(turn: Turn) -> bool:
    """Tells if the round is the last though no score is at the target any more."""
    return turn.last and max(turn.scores or (0,)) < turn.rules.target
