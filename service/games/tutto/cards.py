"""The cards of Tutto (T4.1) and what each of them changes (T5)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """What a card says, as facts; the flow of a turn is in ``turn.py``. Compared by identity."""

    id: str
    rule: str
    copies: int
    """How many of the 56 cards are this one (T4.1)."""
    dice_earn: bool = True
    """Whether the dice earn their points of T1; False where the card alone pays."""
    may_stop: bool = True
    """Whether the player may bank before a Tutto."""
    prize: int = 0
    """Points that a Tutto on this card adds (T5.3, T5.5, T5.6); doubling is not a fixed prize."""
    most_tuttos: int = 0
    """How many Tuttos can already have been made on this card when dice are rolled on it."""


STOP = Card("stop", "T5.1", copies=10)
CLOVER = Card("clover", "T5.7", copies=1, dice_earn=False, may_stop=False, most_tuttos=1)
FIREWORK = Card("firework", "T5.2", copies=5, may_stop=False, most_tuttos=1000)
STRAIGHT = Card("straight", "T5.6", copies=5, dice_earn=False, may_stop=False, prize=2000)
PLUS_MINUS = Card("plus-minus", "T5.5", copies=5, dice_earn=False, may_stop=False, prize=1000)
DOUBLE = Card("double", "T5.4", copies=5)
BONUSES = tuple(Card(f"bonus-{n}", "T5.3", copies=5, prize=n) for n in (200, 300, 400, 500, 600))

DECK = (CLOVER, FIREWORK, STOP, STRAIGHT, PLUS_MINUS, DOUBLE, *BONUSES)
"""Every kind of card, in the order of T4.1."""

CARDS = {card.id: card for card in DECK}
PLAYABLE = {card.id: card for card in DECK if card is not STOP}
"""The cards that dice are rolled on; a stop ends the turn when it is drawn (T5.1)."""

PILE = tuple(card for card in DECK for _ in range(card.copies))
"""All 56 cards, in the order of ``DECK``: a pile holds the places of its cards in here."""
