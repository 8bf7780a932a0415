"""Pile that the next card comes from, as far as all players know it (O4)."""

from collections.abc import Iterator, Sequence

from dice_referee.games.tutto.cards import DECK, PILE
from dice_referee.games.tutto.events import Draw
from dice_referee.rulebook.findings import Finding, Param
from dice_referee.rulebook.game import AnyEvent

Pile = tuple[int, ...]
"""Number of cards left of each kind, in the order of ``DECK``."""

WHOLE_PILE = tuple(card.copies for card in DECK)
"""Number of cards of each kind in the deck, in the order of ``DECK`` (T4.1)."""


def impossible_pile(pile: Pile | None) -> Iterator[Finding]:
    """Yields a finding for each kind of card of which the pile holds more than the deck (T4.1)."""
    for card, copies in zip(DECK, pile or WHOLE_PILE, strict=True):
        if copies > card.copies:
            params: dict[str, Param] = {"card": card.id, "maximum": card.copies}
            yield Finding("too-many-in-pile", "T4.1", f"/pile/{card.id}", params)


def pile_of(hidden: Sequence[int] | None) -> Pile:
    """Returns the public part of a hidden pile: its cards without their order.

    ``hidden`` lists the pile's places in ``PILE``, or is None for the whole pile.
    """
    if hidden is None:
        return WHOLE_PILE
    cards = [PILE[place] for place in hidden]
    return tuple(map(cards.count, DECK))


def pile_after(pile: Pile, event: AnyEvent) -> Pile:
    """Returns the pile after an event.

    A pile without the drawn card was shuffled anew before the draw (T4.3).
    """
    if not isinstance(event, Draw) or event.card is None:
        return pile
    place = DECK.index(event.card)
    left = list(pile if pile[place] else WHOLE_PILE)
    left[place] -= 1
    return tuple(left)
