"""Suggestions of known names for unknown names."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import cache, lru_cache
from unicodedata import normalize

from dice_referee.games import catalogue

LIKENESS = 0.8
"""Minimum similarity of a suggested name, from 0 to 1."""

LONGEST = 40
"""Maximum length of a name for which another name is suggested."""

SHORTEST_PART = 3
"""Minimum length of the beginning or the end of a name."""

SYNONYMS = {
    "tutto": {"vollelotte"},
    "yatzee": {"kniffel", "maxiyatzy", "yams", "yatzy"},
    "roll": {"throw"},
    "audits": {"games"},
    "readyz": {"healthz"},
    "keep": {"hold", "setaside"},
    "write": {"score"},
    "strike": {"crossout", "scratch"},
}
"""Further names of an id: its names at tables and in other games."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known id with this name, part of a name or a similar spelling.

    Ignores case, accents and punctuation. Returns None if no id or several ids match.
    """
    return _nearest(_letters(name), tuple(known)) if len(name) <= LONGEST else None


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    """Returns the suggestion. The cache serves batches that repeat an error in every position."""
    ids = {_letters(id): id for id in known}
    names = [(other, id) for id in known for other in (_letters(id), *_names().get(id, ()))]
    same = {id for other, id in names if other == name}
    parts = {id for other, id in names if other.startswith(name) or other.endswith(name)}
    for meant in (same, parts if len(name) >= SHORTEST_PART else set[str]()):
        if len(meant) == 1:
            return meant.pop()
    near = get_close_matches(name, ids, 2, LIKENESS)
    ratios = [SequenceMatcher(None, other, name).ratio() for other in near]
    return None if not near or ratios[1:] == ratios[:1] else ids[near[0]]


@lru_cache(maxsize=1024)
def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKD", name.casefold())))


@cache
def _names() -> dict[str, set[str]]:
    names = {id: set(synonyms) for id, synonyms in SYNONYMS.items()}
    for game in catalogue().values():
        words = game.words
        titled = words["rulesets"] | words["options"]
        titles = {id: texts["title"] for id, texts in titled.items()}
        for id, text in (*words["vocabulary"].items(), *titles.items()):
            names.setdefault(id, set()).update(map(_letters, text.values()))
    return names
