"""Names that a client may have meant by one that nothing has."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

LIKENESS = 0.8
"""The likeness of two names, from 0 to 1, from which on one may be a slip for the other."""

LONGEST = 40
"""Characters of a name for which a similar one is looked for: a longer one is no slip."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name that is most like this one, capitals aside.

    None if none is near, or if two are equally near.
    """
    return _nearest(name, tuple(known)) if len(name) <= LONGEST else None


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    """Returns the same; a batch may hold one slip in each of its positions."""
    names = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), names, 2, LIKENESS)
    ratios = [SequenceMatcher(None, one, name.casefold()).ratio() for one in near]
    return None if not near or ratios[1:] == ratios[:1] else names[near[0]]
