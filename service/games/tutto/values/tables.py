"""What rolling and drawing are worth, for every number of points that a turn may hold.

What is set aside raises the points, so a turn is solved from many points down to none. From some
number on stopping is always the best choice; that number follows from the choices themselves.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from service.games.tutto.cards import CLOVER, DECK, DOUBLE, FIREWORK, PLUS_MINUS, STOP, Card
from service.games.tutto.position import SIX, STEP
from service.games.tutto.values.aims import Aim
from service.games.tutto.values.chances import ScoringRoll, next_roll, scoring_rolls, tutto_chance
from service.games.tutto.values.piles import WHOLE_PILE
from service.games.tutto.values.rows import (
    NOISE,
    Branch,
    Continuation,
    Doubled,
    Linear,
    Parted,
    Row,
    Values,
)


class NextDraw(NamedTuple):
    """What is known of the card that is drawn next (O4, O8)."""

    pile: tuple[int, ...] = WHOLE_PILE
    """How many of each card it comes from, in the order of ``DECK``."""
    sits_out_from: int | None = None
    """The steps carried from which on Plus/Minus ends the turn (T5.5b); None: it never does."""
    sitting_out_writes: bool = False
    """Whether it then writes what was carried (T5.5f)."""


ORDINARY = NextDraw()


class CardValues:
    """What rolling on a card is worth, by the dice to roll and what the turn holds.

    ``after`` are the values of a turn whose Tutto leaves the choice to bank or to draw.
    """

    def __init__(
        self, card: Card, aim: Aim, written: Values, after: Values, tuttos: int = 0
    ) -> None:
        self.card, self.written, self.after = card, written, after
        self.nothing = written[0]
        """What it is worth to write nothing."""
        self.every = aim.duel is not None
        """Whether every keep counts, also one of fewer points for as many dice."""
        self.clover = aim.clover * 1.0
        """What the next Tutto of a clover is worth (T5.7)."""
        if not tuttos:
            self.clover = self._with(float(tutto_chance(SIX)), self.clover)
        self.apart = card is DOUBLE and not aim.double_takes_all
        """Whether what was carried and what this card earned count differently (T5.4)."""
        self.doubled = Doubled(after)
        self.rows = dict[tuple[int, int], Values]()
        if card is FIREWORK:
            self.rows |= _firework(aim, written)

    def settle(self, written: Values, after: Values, bottom: int) -> None:
        """Keeps the values of all rows and not how they came about; ``top`` of each is known."""
        self.written, self.after, self.doubled = written, after, Doubled(after)
        for place, row in self.rows.items():
            if isinstance(row, Row):
                self.rows[place] = row.settled(bottom)

    def value(self, dice: int, carried: int, aside: int) -> float:
        """The value of rolling so many dice; ``aside`` are the steps earned on this card."""
        return self.row(dice, aside)[carried] if self.apart else self.row(dice)[carried + aside]

    def row(self, dice: int, aside: int = 0) -> Values:
        """The values of rolling so many dice, by all that the turn holds.

        Where carried points count apart: by these, with ``aside`` steps earned on the card.
        """
        found = self.rows.get((dice, aside))
        if found is None:
            found = self.rows[dice, aside] = self._new_row(dice, aside)
        return found

    def _with(self, chance: float, worth: float) -> float:
        """What this chance of something of worth is worth, else nothing is written."""
        return chance * worth + (1 - chance) * self.nothing

    def _new_row(self, dice: int, aside: int) -> Values:
        card, chances = self.card, next_roll(self.card, dice)
        if card is CLOVER:
            return Linear(0.0, self._with(float(tutto_chance(dice)), self.clover))
        if not card.dice_earn:
            chance = float(chances.tutto)
            rest = self._with(chance, 0.0)
            return Row([(chance, ((self.after, card.prize // STEP),))], otherwise=rest)
        rolls = scoring_rolls(dice, self.every)
        return Row(
            ((float(roll.chance), tuple(self._options(roll, aside))) for roll in rolls),
            otherwise=float(chances.niete) * self.nothing,
        )

    def _options(self, roll: ScoringRoll, aside: int) -> Iterable[Continuation]:
        """Stopping with every scoring die, or a Tutto; then the keeps that leave dice."""
        left, points = roll.keeps[0]
        earned = aside + points // STEP
        if left:
            yield self.written, earned
        elif self.card is not DOUBLE:
            yield self.after, earned + self.card.prize // STEP
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
    """The values of rolling on a firework, which ends with a Niete and pays all (T5.2)."""
    every = aim.firework_takes_all
    if aim.steady_from is None:
        gains = _firework_gains(every)
        return {(dice, 0): Linear(float(STEP), gains[dice]) for dice in gains}
    sure = Linear(0.0, aim.of_points(aim.steady_from))
    rows = {dice: Row(line=sure) for dice in range(1, SIX + 1)}
    for dice, row in rows.items():
        niete = float(next_roll(FIREWORK, dice).niete)
        row.branches = (
            (niete, ((written, 0),)),
            *(
                (
                    float(roll.chance),
                    tuple(
                        (rows[left or SIX], points // STEP) for left, points in _keeps(roll, every)
                    ),
                )
                for roll in scoring_rolls(dice, aim.duel is not None)
            ),
        )
    return {(dice, 0): row for dice, row in rows.items()}


def _firework_gains(every: bool) -> dict[int, float]:
    """The points that a firework is expected to add, by the dice to roll.

    A Tutto leads back to six dice: the gain of six is the number that brings itself about.
    """
    gain, before = 0.0, inf
    while abs(gain - before) > NOISE / 1000:
        before, gains = gain, {0: gain}
        for dice in range(1, SIX + 1):
            gains[dice] = sum(
                float(roll.chance)
                * max(points + gains[left] for left, points in _keeps(roll, every))
                for roll in scoring_rolls(dice)
            )
        gain = gains[SIX]
    return gains


def _keeps(roll: ScoringRoll, every: bool) -> Sequence[tuple[int, int]]:
    return roll.keeps[:1] if every else roll.keeps


class ValueTables:
    """The values of all that a turn may come to, when every draw is from a complete pile."""

    def __init__(self, aim: Aim, bottom: int = 0) -> None:
        """Computes them all, for turns that carry ``bottom`` steps; that takes a tenth of a second.

        Where Plus/Minus leaves exactly its own points, it is done over and over: their value is the
        one that brings itself about.
        """
        self.aim, self.bottom = aim, bottom
        self.after: Values
        """The better of stopping and drawing, after a Tutto."""
        self.after_deduction = self
        """The values once a Plus/Minus Tutto has taken points from the other player (O16)."""
        if aim.duel is not None and not aim.duel.leads:
            following = aim._replace(duel=aim.duel.deducted)
            self.after_deduction = ValueTables(following, bottom + PLUS_MINUS.prize // STEP)
        prize = aim.of_points(PLUS_MINUS.prize)
        gain = self._solve(prize) - prize
        ratio = 0.0
        while aim.plus_minus_takes_all and abs(gain) > NOISE / 1000 * max(1.0, prize):
            # A gain of a gain is the same part of it, while the best choices stay the same.
            prize, before = prize + gain / (1 - ratio), gain
            gain = self._solve(prize) - prize
            ratio = gain / before

    def _solve(self, prize: float) -> float:
        """Computes all values; ``prize`` is the value of the points of a Plus/Minus Tutto alone.

        Returns that value as it comes out.
        """
        aim, steady = self.aim, self.aim.steady_from
        reach = 0 if steady is None else -(-steady // STEP)
        sure = Linear(float(STEP), 0.0) if steady is None else Linear(0.0, aim.of_points(steady))
        written, after = Row(line=sure, top=reach), Row(line=sure)
        written |= {steps: aim.of_points(steps * STEP) for steps in range(reach)}
        cards = {card: CardValues(card, aim, written, after) for card in DECK if card is not STOP}
        if aim.plus_minus_takes_all:
            alone = Linear(0.0, prize)
            cards[PLUS_MINUS] = CardValues(PLUS_MINUS, aim, written, alone)
        elif self.after_deduction is not self:
            following = self.after_deduction.after
            cards[PLUS_MINUS] = CardValues(PLUS_MINUS, aim, written, following)
        for values in cards.values():
            for dice in (SIX,) if values.apart else range(1, SIX + 1):
                values.row(dice)
        self.cards = cards
        """What rolling is worth, by the card; of a clover without a Tutto."""
        drawn = Row(self._branches(ORDINARY))
        after.branches = ((1.0, ((written, 0), (drawn, 0))),)
        rows = [written, after, drawn]
        for values in cards.values():
            rows += [row for row in values.rows.values() if isinstance(row, Row)]
        self.top = max(reach, self.bottom, *(row.first_steady() for row in rows))
        for row in rows:
            row.top = min(row.top, self.top)
        # Downwards, so that what is asked for has been computed already.
        for steps in reversed(range(self.bottom, self.top)):
            for row in rows:
                row[steps]
        self.written, self.drawn = written.settled(), drawn.settled(self.bottom)
        """What it is worth to write so many steps of points; and to draw when so many are carried.
        """
        self.after = after.settled(self.bottom)
        for values in cards.values():
            values.settle(self.written, self.after, self.bottom)
        self.last_of_clover = CardValues(CLOVER, aim, self.written, self.after, tuttos=1)
        self._before = lru_cache(maxsize=16 if aim.duel is None else 4)(self._values_before)
        return self.after[max(PLUS_MINUS.prize // STEP, self.bottom)]

    def drawing(self, draw: NextDraw) -> Values:
        """The values of drawing, by what is carried."""
        return self.drawn if draw == ORDINARY else Row(self._branches(draw))

    def rolling(self, card: Card, tuttos: int, draw: NextDraw, carried: int) -> CardValues:
        """The values of rolling on a card, before this draw and with so many steps carried."""
        if card.most_tuttos or draw == ORDINARY:
            return self.last_of_clover if card is CLOVER and tuttos else self.cards[card]
        return self._before(card, draw, carried)

    def turned_up(self, card: Card, draw: NextDraw) -> Values:
        """The values of having drawn this card, by what is carried."""
        nothing, duel = Linear(0.0, self.aim.of_points(0)), self.aim.duel
        if card is STOP or (card is PLUS_MINUS and duel is not None and duel.sits_out):
            return nothing
        played = self.cards[card].row(SIX)
        if card is not PLUS_MINUS or draw.sits_out_from is None:
            return played
        ended = self.written if draw.sitting_out_writes else nothing
        return Parted(draw.sits_out_from, played, ended) if draw.sits_out_from else ended

    def _values_before(self, card: Card, draw: NextDraw, _carried: int) -> CardValues:
        # One for each number carried: so what is kept of a pile is bounded.
        tables = self.after_deduction if card is PLUS_MINUS else self
        after: Values = Row([(1.0, ((tables.written, 0), (tables.drawing(draw), 0)))])
        if card is PLUS_MINUS and self.aim.plus_minus_takes_all:
            after = Linear(0.0, after[card.prize // STEP])
        return CardValues(card, self.aim, self.written, after)

    def _branches(self, draw: NextDraw) -> Iterable[Branch]:
        whole = sum(draw.pile)
        for card, copies in zip(DECK, draw.pile, strict=True):
            if copies:
                yield copies / whole, ((self.turned_up(card, draw), 0),)
