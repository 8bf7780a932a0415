"""What is known of the pile that the next card comes from (O4)."""

from collections.abc import Iterator, Sequence

from service.games.tutto.cards import DECK, PILE
from service.games.tutto.events import Draw, Event
from service.rules.findings import Finding, Param

Pile = tuple[int, ...]
"""How many of each card are left, in the order of ``DECK``."""

WHOLE_PILE = tuple(card.copies for card in DECK)
"""How many of each card there are, in the order of ``DECK`` (T4.1)."""


def impossible_pile(pile: Pile | None) -> Iterator[Finding]:
    """The cards of which there are more than the deck has."""
    for card, copies in zip(DECK, pile or WHOLE_PILE, strict=True):
        if copies > card.copies:
            params: dict[str, Param] = {"card": card.id, "maximum": card.copies}
            yield Finding("too-many-in-pile", "T4.1", f"/pile/{card.id}", params)


def pile_of(hidden: Sequence[int] | None) -> Pile:
    """What everybody knows of a pile that is hidden, places in ``PILE``: which cards are left."""
    if hidden is None:
        return WHOLE_PILE
    cards = [PILE[place] for place in hidden]
    return tuple(map(cards.count, DECK))


def pile_after(pile: Pile, event: Event) -> Pile:
    """What is known of the pile after an event; one that lacks its card was shuffled (T4.3)."""
    if not isinstance(event, Draw) or event.card is None:
        return pile
    place = DECK.index(event.card)
    left = list(pile if pile[place] else WHOLE_PILE)
    left[place] -= 1
    return tuple(left)
