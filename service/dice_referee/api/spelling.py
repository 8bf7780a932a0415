"""Suggestions of known names for unknown names."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

LIKENESS = 0.8
"""Minimum similarity of a suggested name, from 0 to 1."""

LONGEST = 40
"""Maximum length of a name for which a similar one is suggested."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name most similar to this name, ignoring case.

    Returns None if no name is similar, or if two names are equally similar.
    """
    return _nearest(name, tuple(known)) if len(name) <= LONGEST else None


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    """Returns the suggestion. The cache serves batches that repeat an error in every position."""
    names = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), names, 2, LIKENESS)
    ratios = [SequenceMatcher(None, one, name.casefold()).ratio() for one in near]
    return None if not near or ratios[1:] == ratios[:1] else names[near[0]]
