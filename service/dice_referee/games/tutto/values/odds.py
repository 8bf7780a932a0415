"""Values of a position and of its choices, if the player plays well from here (O2).

A value is the expected points of the turn (O5), the chance to write at least ``reach`` points
(O6), or the win probability in a game of two (O16). Chances are from 0 to 1.
"""

from fractions import Fraction
from typing import NamedTuple

from dice_referee.games.tutto.cards import DECK, PLUS_MINUS, Card
from dice_referee.games.tutto.events import Bank, Event, SetAside
from dice_referee.games.tutto.leaders import deduct, sits_out_from
from dice_referee.games.tutto.position import (
    SIX,
    STEP,
    Phase,
    Position,
    Reason,
    Turn,
    is_unshown_last_round,
)
from dice_referee.games.tutto.rulesets import RULESETS, Deduction
from dice_referee.games.tutto.scoring import NextRoll, scoring_of
from dice_referee.games.tutto.values.aims import Aim, aim_of
from dice_referee.games.tutto.values.duels import duel_of
from dice_referee.games.tutto.values.piles import WHOLE_PILE, Pile, impossible_pile, pile_after
from dice_referee.games.tutto.values.rows import first_best
from dice_referee.games.tutto.values.tables import ORDINARY, CardValues, NextDraw, ValueTables
from dice_referee.rulebook.dice import as_dice
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.odds import WIN_CHANCE
from dice_referee.rulebook.value_tables import ValueTableCache

RULES = ("O1", "O2", "O4", "O5", "O7", "O8")

AIM_RULES = {"win": ("O1", "O2", "O7", "O16", "O17")}


class Choice(NamedTuple):
    event: Event
    value: float
    next_roll: NextRoll | None
    """Chances of the roll that follows on this card, or None if no roll follows."""


class NextCard(NamedTuple):
    card: Card
    chance: Fraction
    value: float


class Odds(NamedTuple):
    pile: Pile
    """Pile of the next card (O4)."""
    value: float
    choices: tuple[Choice, ...]
    """Choices that the roll leaves, empty before a roll or a draw."""
    best: int | None
    """Index of the best choice, or None before a roll or a draw."""
    roll: NextRoll | None
    """Chances of the roll that is due, or None in other phases."""
    cards: tuple[NextCard, ...]
    """Every kind of card if a draw is due, empty in other phases."""
    rules: frozenset[str]


# Value tables -------------------------------------------------------------------------------------


KEPT_VALUE_TABLES = 64
"""Maximum cached tables for house rules, points to reach and pairs of scores.

A review never evicts its own: a game of two has some 25 pairs of scores, hardly ever more than 45.
A table takes up to 1.4 MB.
"""

VALUE_TABLES = ValueTableCache(
    ValueTables, (aim_of(rules, None) for rules in RULESETS.values()), KEPT_VALUE_TABLES
)
"""Value tables by aim. Building a missing table takes up to 0.3 s."""


# Questions ----------------------------------------------------------------------------------------


class Question(NamedTuple):
    position: Position
    reach: int | None = None
    """Points that the turn must write (O6), or None for as many as possible (O5)."""
    pile: Pile | None = None
    """Pile of the next card (O4). None, or a pile without cards, means the whole pile."""
    win: bool = False
    """True if only winning counts (O16)."""

    @property
    def unit(self) -> str:
        """Unit of the values: ``points``, ``chance`` (O6) or ``win-chance`` (O16)."""
        if self.win:
            return WIN_CHANCE
        return "points" if self.reach is None else "chance"

    @property
    def leaves_a_choice(self) -> bool:
        """True if the roll allows several events."""
        result = self.position.roll_result
        return len(result.can.keeps) + result.banks > 1

    @property
    def table_key(self) -> Aim:
        position = self.position
        return aim_of(position.rules, self.reach, duel_of(position) if self.win else None)

    @property
    def _tables(self) -> ValueTables:
        return VALUE_TABLES[self.table_key]

    def impossibilities(self) -> tuple[Finding, ...]:
        """Returns every reason why the odds are undefined: an ended turn, or an impossible pile."""
        ended = self.position.end("/roll")
        return (*(() if ended is None else (ended,)), *impossible_pile(self.pile))

    def advice(self, odds: Odds | None = None) -> Event:
        odds = odds or self.odds()
        assert odds.best is not None, "dice other than a Niete leave a choice"
        return odds.choices[odds.best].event

    def value(self) -> float:
        """Returns the value of the position.

        Before a roll or draw, it is the value of rolling or drawing.
        """
        position = self.position
        match position.phase:
            case Phase.DRAW:
                draw = self.next_draw
                return self._tables.drawing(draw)[position.carried // STEP]
            case Phase.ROLL:
                return self._values().value(position.dice_to_roll, *_steps(position))
            case _:
                return max(choice.value for choice in self.choices())

    def worth(self, event: Event) -> float:
        if not isinstance(event, SetAside | Bank):
            return self.value()
        chosen = SetAside(as_dice(event.dice)) if isinstance(event, SetAside) else event
        return next(choice.value for choice in self.choices() if choice.event == chosen)

    def worth_after(self, event: Event, turn: Turn) -> float:
        if isinstance(turn, Position):
            pile = self.pile and pile_after(self.pile, event)
            following = self._replace(position=turn, pile=pile)
            if not self.win or turn.scores == self.position.scores:
                return following.value()
            # A Plus/Minus Tutto changed the scores. The position's own tables cover the next draw.
            tables = self._tables.after_deduction
            return tables.drawing(following.next_draw)[turn.carried // STEP]
        aim = self.table_key
        if turn.reason is Reason.CLOVER:
            return float(aim.clover)
        if aim.duel is not None and turn.scores is not None:
            # Banking a Plus/Minus Tutto deducts points from the opponent.
            opponent = turn.scores[1 - (turn.player or 0)]
            return aim.duel._replace(opponent=opponent).chance_after(turn.points)
        return aim.of_points(turn.points)

    def choices(self) -> tuple[Choice, ...]:
        """Returns the legal keeps in the adjudication's order, then the bank if it is legal (O7).

        Without a roll on the table it returns nothing.
        """
        position, card = self.position, self.position.card
        if card is None or position.roll is None:
            return ()
        result, values, (carried, aside) = position.roll_result, self._values(), _steps(position)
        options, scoring = list[Choice](), scoring_of(position.rules)
        for keep in result.can.keeps:
            left = position.dice_to_roll - len(keep.dice)
            if left:
                worth = values.value(left, carried, aside + keep.points // STEP)
                options.append(Choice(SetAside(keep.dice), worth, scoring.next_roll(card, left)))
            else:
                turn = position.go_on(position.keep_result(keep, stop=False))
                rolls_six = isinstance(turn, Position) and turn.phase is Phase.ROLL
                worth = self.worth_after(SetAside(keep.dice), turn)
                following = scoring.next_roll(card, SIX) if rolls_six else None
                options.append(Choice(SetAside(keep.dice), worth, following))
        if result.banks and result.can.most is not None:
            banked = position.keep_result(result.can.most, stop=True)
            worth = self.worth_after(Bank(), position.bank(banked))
            options.append(Choice(Bank(), worth, None))
        return tuple(options)

    def _values(self) -> CardValues:
        position = self.position
        assert position.card is not None, "a card has been drawn"
        draw, carried = self.next_draw, position.carried // STEP
        return self._tables.rolling(position.card, position.tuttos, draw, carried)

    @property
    def next_draw(self) -> NextDraw:
        """Next draw: its pile, and the points from which Plus/Minus is sat out (O8)."""
        position, pile = self.position, self._pile
        if position.card is not None and position.terms.ends_turn:
            # No draw follows (T5.5i).
            return ORDINARY
        if self.win:
            return NextDraw(pile)
        rules, scores, player = position.rules, position.scores, position.player
        if position.card is PLUS_MINUS and rules.deduction is Deduction.ON_TUTTO:
            # The leaders lose their points before the next draw.
            scores = deduct(rules, scores, player, 1, position.carried).scores
        points = sits_out_from(rules, scores, player)
        if points is None:
            return NextDraw(pile)
        return NextDraw(pile, -(-points // STEP), not rules.sits_out_loses_carried)

    @property
    def _pile(self) -> Pile:
        pile = self.pile
        return pile if pile is not None and any(pile) else WHOLE_PILE

    def odds(self) -> Odds:
        position, card = self.position, self.position.card
        options = self.choices()
        values = [choice.value for choice in options]
        best, roll = first_best(values) if options else None, None
        if card is not None and not options:
            roll = scoring_of(position.rules).next_roll(card, position.dice_to_roll)
        return Odds(
            self._pile,
            self.value() if best is None else values[best],
            options,
            best,
            roll,
            self._cards() if card is None else (),
            self._rules(options),
        )

    def _cards(self) -> tuple[NextCard, ...]:
        draw, carried = self.next_draw, self.position.carried // STEP
        tables, cards_left = self._tables, sum(draw.pile)
        return tuple(
            NextCard(card, Fraction(copies, cards_left), tables.after_draw(card, draw)[carried])
            for card, copies in zip(DECK, draw.pile, strict=True)
        )

    def _rules(self, options: tuple[Choice, ...]) -> frozenset[str]:
        position = self.position
        aim = "O16" if self.win else "O5" if self.reach is None else "O6"
        cites = {"O1", "O2", "O4", aim, "O7", "T4.1"}
        if self.pile is not None and not any(self.pile):
            cites.add("T4.3")
        steps = self.next_draw.sits_out_from
        if steps is not None and (position.card is not None or position.carried >= steps * STEP):
            cites |= {"O8", "T5.5b", "T5.5f"} | ({"T5.5g"} if steps else set())
        if self.win and is_unshown_last_round(position):
            cites.add("T6.5")
        if position.card is None:
            return frozenset(cites | {"O3", "T4.2"})
        terms = position.terms
        if terms.replaces and position.carried:
            cites.add("T5.5h")
        if terms.ends_turn:
            cites.add("T5.5i")
        if not options:
            return frozenset(cites | {"O3", "O9", "T1.1", position.card.rule})
        if any(choice.next_roll is not None for choice in options):
            cites |= {"O3", "O9"}
        return position.roll_result.rules | position.aside.rules | cites


def _steps(position: Position) -> tuple[int, int]:
    return position.carried // STEP, (position.earned - position.carried) // STEP
