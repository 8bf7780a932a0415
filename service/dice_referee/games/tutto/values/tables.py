"""Value tables: the values of rolling and drawing for every number of points in a turn.

Setting dice aside raises the points, so a turn is solved from many points down to none. Above some
number of points, which the choices determine, stopping is always best.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from dice_referee.games.tutto.cards import CLOVER, DECK, FIREWORK, PLUS_MINUS, STOP, Card
from dice_referee.games.tutto.position import SIX, STEP
from dice_referee.games.tutto.rulesets import DoubleScope
from dice_referee.games.tutto.scoring import Scoring, ScoringRoll
from dice_referee.games.tutto.values.aims import Aim
from dice_referee.games.tutto.values.piles import WHOLE_PILE
from dice_referee.games.tutto.values.rows import (
    NOISE,
    Branch,
    Continuation,
    Doubled,
    Linear,
    Piecewise,
    Row,
    Values,
)
from dice_referee.rulebook.pauses import pause


class NextDraw(NamedTuple):
    """Facts about the next draw that affect its value (O4, O8)."""

    pile: tuple[int, ...] = WHOLE_PILE
    sits_out_from: int | None = None
    """Carried steps from which Plus/Minus ends the turn (T5.5b), or None if it never does."""
    sitting_out_writes: bool = False
    """True if the turn then writes the carried points (T5.5f)."""


ORDINARY = NextDraw()


class CardValues:
    """Values of rolling on a card, by the dice to roll and the points that the turn holds.

    ``written`` are the values of writing points. ``after`` are the values after a Tutto, where the
    player banks or draws.
    """

    def __init__(
        self, card: Card, aim: Aim, written: Values, after: Values, tuttos: int = 0
    ) -> None:
        self.card, self.written, self.after = card, written, after
        self.scoring, self.terms = aim.scoring, aim.deck.terms[card]
        self.nothing = written[0]
        self.every = aim.duel is not None
        """True if every keep matters, not only the best for each number of dice left (O16)."""
        self.clover = aim.clover * 1.0
        if not tuttos:
            self.clover = self._mean(float(self.scoring.tutto_chance(SIX)), self.clover)
        self.apart = self.terms.doubles is DoubleScope.CARD
        """True if carried points and points of this card count differently (T5.4)."""
        self.doubled = Doubled(after)
        self.rows = dict[tuple[int, int], Values]()
        if card is FIREWORK:
            self.rows |= _firework(aim, written)

    def settle(self, written: Values, after: Values, bottom: int) -> None:
        """Replaces each row by its values from ``bottom`` on. Every ``top`` must be finite."""
        self.written, self.after, self.doubled = written, after, Doubled(after)
        for place, row in self.rows.items():
            if isinstance(row, Row):
                self.rows[place] = row.settled(bottom)

    def value(self, dice: int, carried: int, aside: int) -> float:
        """Returns the value of rolling ``dice`` dice.

        ``carried`` and ``aside`` are points in steps of 50.
        """
        return self.row(dice, aside)[carried] if self.apart else self.row(dice)[carried + aside]

    def row(self, dice: int, aside: int = 0) -> Values:
        """Returns the values of rolling ``dice`` dice, by the steps that the turn holds.

        If ``apart``, the index is the carried steps alone, and ``aside`` are those of the card.
        """
        row = self.rows.get((dice, aside))
        if row is None:
            row = self.rows[dice, aside] = self._new_row(dice, aside)
        return row

    def _mean(self, chance: float, worth: float) -> float:
        """Returns the expected value of ``worth`` with this chance, or else of nothing written."""
        return chance * worth + (1 - chance) * self.nothing

    def _new_row(self, dice: int, aside: int) -> Values:
        card, chances = self.card, self.scoring.next_roll(self.card, dice)
        if card is CLOVER:
            return Linear(0.0, self._mean(float(self.scoring.tutto_chance(dice)), self.clover))
        if not card.dice_earn:
            chance = float(chances.tutto)
            failure = self._mean(chance, 0.0)
            return Row([(chance, ((self.after, self.terms.prize // STEP),))], otherwise=failure)
        rolls = self.scoring.scoring_rolls(dice, self.every)
        return Row(
            ((float(roll.chance), tuple(self._options(roll, aside))) for roll in rolls),
            otherwise=float(chances.niete) * self.nothing,
        )

    def _options(self, roll: ScoringRoll, aside: int) -> Iterable[Continuation]:
        left, points = roll.keeps[0]
        earned = aside + points // STEP
        if left:
            yield self.written, earned
        elif self.terms.doubles is None:
            yield self.after, earned + self.terms.prize // STEP
        elif self.apart:
            yield self.after, 2 * earned
        else:
            yield self.doubled, earned
        for left, points in roll.keeps:
            if left and self.apart:
                yield self.row(left, aside + points // STEP), 0
            elif left:
                yield self.row(left), points // STEP


def _firework(aim: Aim, written: Values) -> dict[tuple[int, int], Values]:
    """Returns the rows of a firework by (dice, 0). Its Niete writes all points (T5.2)."""
    scoring = aim.scoring
    if aim.steady_from is None:
        gains = _firework_gains(scoring)
        return {(dice, 0): Linear(float(STEP), gains[dice]) for dice in gains}
    line = Linear(0.0, aim.of_points(aim.steady_from))
    rows = {dice: Row(line=line) for dice in range(1, SIX + 1)}
    for dice, row in rows.items():
        niete = float(scoring.next_roll(FIREWORK, dice).niete)
        row.branches = (
            (niete, ((written, 0),)),
            *(
                (
                    float(roll.chance),
                    tuple(
                        (rows[left or SIX], points // STEP)
                        for left, points in _keeps(roll, scoring)
                    ),
                )
                for roll in scoring.scoring_rolls(dice, aim.duel is not None)
            ),
        )
    return {(dice, 0): row for dice, row in rows.items()}


def _firework_gains(scoring: Scoring) -> dict[int, float]:
    """Returns the points that a firework is expected to add, by the dice to roll.

    A Tutto leads back to six dice, so the gain of six dice is a fixed point, found by iteration.
    """
    gain, previous = 0.0, inf
    while abs(gain - previous) > NOISE / 1000:
        previous, gains = gain, {0: gain}
        for dice in range(1, SIX + 1):
            gains[dice] = sum(
                float(roll.chance)
                * max(points + gains[left] for left, points in _keeps(roll, scoring))
                for roll in scoring.scoring_rolls(dice)
            )
        gain = gains[SIX]
    return gains


def _keeps(roll: ScoringRoll, scoring: Scoring) -> Sequence[tuple[int, int]]:
    return roll.keeps[:1] if scoring.firework_takes_all else roll.keeps


class ValueTables:
    """Values of every situation of a turn for an aim, with each draw from a complete pile."""

    def __init__(self, aim: Aim, bottom: int = 0) -> None:
        """Computes all values for turns that carry ``bottom`` steps or more, in about 0.1 s.

        Under T5.5h the value of holding exactly the prize depends on itself. It is a fixed point,
        found by repeating the computation.
        """
        self.aim, self.bottom = aim, bottom
        self.plus_minus = aim.deck.terms[PLUS_MINUS]
        self.after: Values
        """Values after a Tutto: the better of banking and drawing."""
        self.after_deduction = self
        """Value tables once a Plus/Minus Tutto has deducted from the opponent (O16)."""
        if aim.duel is not None and not aim.duel.leads:
            following = aim._replace(duel=aim.duel.after_deduction)
            self.after_deduction = ValueTables(following, bottom + self.plus_minus.prize // STEP)
        prize = aim.of_points(self.plus_minus.prize)
        gain = self._solve(prize) - prize
        ratio = 0.0
        repeats = self.plus_minus.replaces and not self.plus_minus.ends_turn
        while repeats and abs(gain) > NOISE / 1000 * max(1.0, prize):
            # The gains form a geometric series while the best choices stay the same.
            prize, previous = prize + gain / (1 - ratio), gain
            gain = self._solve(prize) - prize
            ratio = gain / previous

    def _solve(self, prize: float) -> float:
        """Computes all values from ``prize``, the value of holding it after Plus/Minus, and returns
        it anew.
        """
        aim, steady = self.aim, self.aim.steady_from
        reach = 0 if steady is None else -(-steady // STEP)
        line = Linear(float(STEP), 0.0) if steady is None else Linear(0.0, aim.of_points(steady))
        written, after = Row(line=line, top=reach), Row(line=line)
        written |= {steps: aim.of_points(steps * STEP) for steps in range(reach)}
        cards = {card: CardValues(card, aim, written, after) for card in DECK if card is not STOP}
        if self.plus_minus.replaces:
            holding_prize = Linear(0.0, prize)
            cards[PLUS_MINUS] = CardValues(PLUS_MINUS, aim, written, holding_prize)
        elif self.plus_minus.ends_turn:
            cards[PLUS_MINUS] = CardValues(PLUS_MINUS, aim, written, written)
        elif self.after_deduction is not self:
            following = self.after_deduction.after
            cards[PLUS_MINUS] = CardValues(PLUS_MINUS, aim, written, following)
        for values in cards.values():
            for dice in (SIX,) if values.apart else range(1, SIX + 1):
                values.row(dice)
        self.cards = cards
        """Values of rolling, by the card. The values of the clover are before its first Tutto."""
        drawn = Row(self._branches(ORDINARY))
        after.branches = ((1.0, ((written, 0), (drawn, 0))),)
        rows = [written, after, drawn]
        for values in cards.values():
            rows += [row for row in values.rows.values() if isinstance(row, Row)]
        self.top = max(reach, self.bottom, *(row.first_steady() for row in rows))
        for row in rows:
            row.top = min(row.top, self.top)
        # Downwards: every value depends on values of more points.
        for steps in reversed(range(self.bottom, self.top)):
            pause()
            for row in rows:
                row[steps]
        self.written, self.drawn = written.settled(), drawn.settled(self.bottom)
        """Values of writing points, and of drawing with points carried, both by steps."""
        self.after = after.settled(self.bottom)
        for values in cards.values():
            values.settle(self.written, self.after, self.bottom)
        self.last_of_clover = CardValues(CLOVER, aim, self.written, self.after, tuttos=1)
        self._before = lru_cache(maxsize=16 if aim.duel is None else 4)(self._values_before)
        return self.after[max(self.plus_minus.prize // STEP, self.bottom)]

    def drawing(self, draw: NextDraw) -> Values:
        """Returns the values of drawing, by the carried steps."""
        return self.drawn if draw == ORDINARY else Row(self._branches(draw))

    def rolling(self, card: Card, tuttos: int, draw: NextDraw, carried: int) -> CardValues:
        if card.most_tuttos or draw == ORDINARY:
            return self.last_of_clover if card is CLOVER and tuttos else self.cards[card]
        return self._before(card, draw, carried)

    def after_draw(self, card: Card, draw: NextDraw) -> Values:
        """Returns the values of having drawn this card, by the carried steps."""
        nothing, duel = Linear(0.0, self.aim.of_points(0)), self.aim.duel
        if card is STOP or (card is PLUS_MINUS and duel is not None and duel.sits_out):
            return nothing
        played = self.cards[card].row(SIX)
        if card is not PLUS_MINUS or draw.sits_out_from is None:
            return played
        ended = self.written if draw.sitting_out_writes else nothing
        return Piecewise(draw.sits_out_from, played, ended) if draw.sits_out_from else ended

    def _values_before(self, card: Card, draw: NextDraw, _carried: int) -> CardValues:
        # ``_carried`` splits the cache's entries, which bounds the rows that each of them holds.
        tables = self.after_deduction if card is PLUS_MINUS else self
        after: Values = Row([(1.0, ((tables.written, 0), (tables.drawing(draw), 0)))])
        terms = self.aim.deck.terms[card]
        if terms.replaces:
            after = Linear(0.0, after[terms.prize // STEP])
        return CardValues(card, self.aim, self.written, after)

    def _branches(self, draw: NextDraw) -> Iterable[Branch]:
        cards_left = sum(draw.pile)
        for card, copies in zip(DECK, draw.pile, strict=True):
            if copies:
                yield copies / cards_left, ((self.after_draw(card, draw), 0),)
