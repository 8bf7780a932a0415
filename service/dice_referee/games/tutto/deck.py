"""Terms of every card under the rules (T5): what the card pays, and how it changes the turn.

An option about a card changes the terms here. Every other module looks them up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from dice_referee.games.tutto.cards import DECK, DOUBLE, PLUS_MINUS, Card
from dice_referee.games.tutto.rulesets import DoubleScope, PlusMinusPays, PlusMinusTutto, Ruleset


class Terms(NamedTuple):
    """Terms of a card under some rules."""

    card: Card
    may_stop: bool
    prize: int
    doubles: DoubleScope | None = None
    """Points that a Tutto on this card doubles (T5.4), or None."""
    replaces: bool = False
    """True if the prize replaces all earlier points of the turn (T5.5h)."""
    ends_turn: bool = False
    """True if a Tutto on this card ends the turn, as the bank does (T5.5i)."""

    @property
    def rules(self) -> frozenset[str]:
        course = "T5.5i" if self.ends_turn else "T3.2"
        return frozenset({"T3.1", self.card.rule} | (set() if self.card.most_tuttos else {course}))

    def bonus(self, points: int, carried: int) -> int:
        """Returns the points that a Tutto adds to these, of which ``carried`` are carried."""
        if self.doubles is None:
            return self.prize
        return points if self.doubles is DoubleScope.TURN else points - carried


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """Terms of every card under all rules that agree on the options about cards.

    Compared by identity: ``DECKS`` has a single object for equal options.
    """

    terms: Mapping[Card, Terms]


def _deck(double: DoubleScope, pays: PlusMinusPays, tutto: PlusMinusTutto) -> Deck:
    terms = {card: Terms(card, card.may_stop, card.prize) for card in DECK}
    terms[DOUBLE] = terms[DOUBLE]._replace(doubles=double)
    terms[PLUS_MINUS] = terms[PLUS_MINUS]._replace(
        replaces=pays is PlusMinusPays.EXACTLY, ends_turn=tutto is PlusMinusTutto.ENDS_TURN
    )
    return Deck(terms)


DECKS = {
    options: _deck(*options) for options in product(DoubleScope, PlusMinusPays, PlusMinusTutto)
}


@lru_cache(maxsize=1024)
def cards_of(rules: Ruleset) -> Deck:
    return DECKS[rules.double_scope, rules.plus_minus_pays, rules.plus_minus_tutto]
