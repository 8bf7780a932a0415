"""Cards of Tutto (T4.1) and their effects on a turn (T5)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """Facts of a kind of card, part of every ruleset's hash.

    Cards are compared by identity. ``deck.py`` holds the terms of a card under the rules.
    """

    id: str
    rule: str
    copies: int
    """Number of cards of this kind among the 56 cards (T4.1)."""
    dice_earn: bool = True
    """True if the dice earn their points (T1), False if only the card pays."""
    may_stop: bool = True
    """True if the player may bank before a Tutto."""
    prize: int = 0
    """Points that a Tutto on this card adds (T5.3, T5.5, T5.6), or 0 for doubling (T5.4)."""
    most_tuttos: int = 0
    """Maximum earlier Tuttos on this card when dice are rolled on it."""


STOP = Card("stop", "T5.1", copies=10)
CLOVER = Card("clover", "T5.7", copies=1, dice_earn=False, may_stop=False, most_tuttos=1)
FIREWORK = Card("firework", "T5.2", copies=5, may_stop=False, most_tuttos=1000)
STRAIGHT = Card("straight", "T5.6", copies=5, dice_earn=False, may_stop=False, prize=2000)
PLUS_MINUS = Card("plus-minus", "T5.5", copies=5, dice_earn=False, may_stop=False, prize=1000)
DOUBLE = Card("double", "T5.4", copies=5)
BONUSES = tuple(Card(f"bonus-{n}", "T5.3", copies=5, prize=n) for n in (200, 300, 400, 500, 600))

DECK = (CLOVER, FIREWORK, STOP, STRAIGHT, PLUS_MINUS, DOUBLE, *BONUSES)
"""Kinds of card, in the order of T4.1."""

CARDS = {card.id: card for card in DECK}
PLAYABLE = {card.id: card for card in DECK if card is not STOP}
"""Cards that dice are rolled on, by id. A stop ends the turn when it is drawn (T5.1)."""

PILE = tuple(card for card in DECK for _ in range(card.copies))
"""All 56 cards, in the order of ``DECK``. A shuffled pile lists places in this tuple."""
