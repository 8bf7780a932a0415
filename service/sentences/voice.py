"""Sentences for people: templates in several languages, filled for one listener."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor, log10
from string import Formatter
from typing import Any
from unicodedata import bidirectional

from service.rules.findings import Param

Text = Mapping[str, str]
"""One sentence in several languages."""

WIDTH = 80
"""Characters of a line, as far as sentences go; a braille display has fewer, and wraps them."""

EVERYBODY = -1
"""The listener of what is said to the whole table: every player is called by name."""

SPACES = "\u00a0\u202f"
"""Spaces at which no line breaks: those of French signs, and of numbers."""

ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""What stands around a name whose direction may be another."""


SEPARATORS = {"en": (",", "."), "de": (".", ","), "fr": ("\u202f", ","), "it": (".", ",")}
"""The signs before three digits and before decimals, by language; ``numbers.js`` has the same."""

MINUS = "\N{MINUS SIGN}"
LEAST_GROUPED = 10_000
"""The least number whose thousands stand apart."""

_VOWEL = "(?=[aeiouàáâãäåæèéêëìíîïòóôõöøùúûüœ])"
_SEAMS = {
    "fr": (
        (re.compile(rf"\b(d|qu)e \0{_VOWEL}", re.IGNORECASE), r"\1’"),
        (re.compile(r"\bÀ \0Joueur(?= \d)"), "Au joueur"),
        (re.compile(r"\bà \0Joueur(?= \d)"), "au joueur"),
        (re.compile(r"\bde \0Joueur(?= \d)"), "du joueur"),
    ),
    "it": (
        (re.compile(r"\b(a) \0(?=[aàáâãäå])", re.IGNORECASE), r"\1d "),
        (re.compile(r"\b(a|da) \0Giocatore(?= \d)"), r"\1l giocatore"),
    ),
}
"""Words that change before what fills a gap; a null character stands before that."""


def in_language(text: Text, language: str) -> str:
    """The sentence in this language, or in English."""
    return text.get(language) or text["en"]


def term(vocabulary: Mapping[str, Text], word: str, language: str) -> str:
    """The table's word for an id of the game; the id itself where no table has one."""
    text = vocabulary.get(word)
    return word if text is None else in_language(text, language)


def written(value: float, language: str, decimals: int = 1) -> str:
    """Returns a number as this language writes it, with at most so many decimals."""
    thousands, point = SEPARATORS.get(language, SEPARATORS["en"])
    whole, _, rest = f"{abs(value):.{decimals}f}".partition(".")
    rest = rest.rstrip("0")
    if int(whole) >= LEAST_GROUPED:
        whole = f"{int(whole):,}".replace(",", thousands)
    sign = MINUS if value < 0 and (int(rest or 0) or whole != "0") else ""
    return f"{sign}{whole}{point if rest else ''}{rest}"


def number_of(n: float, language: str, kinds: Mapping[str, Any]) -> str:
    """Returns the kind of sentence about so many things; French counts less than two like one."""
    if n == 1 or (language == "fr" and 0 <= n < 2):
        return "one"
    return "two" if n == 2 and "two" in kinds else "many"


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, name) for literal, name, _, _ in Formatter().parse(template))


def filled(template: str, language: str, gaps: Mapping[str, object]) -> str:
    """Fills a template: numbers as the language writes them, and words as they sound together."""
    parts = []
    for literal, name in _pieces(template):
        parts.append(literal)
        if name is not None:
            gap = gaps[name]
            value = written(gap, language) if isinstance(gap, int | float) else str(gap)
            parts += ("\0", value)
    text = "".join(parts)
    for pattern, joined in _SEAMS.get(language, ()):
        text = pattern.sub(joined, text)
    return text.replace("\0", "")


def param_text(value: Param) -> str:
    """What fills a placeholder, as it is told: the parts of a list with commas between them."""
    return listed(map(str, value)) if isinstance(value, tuple) else str(value)


def printable(text: str, kept: str = "") -> str:
    """The text in one line, without what would steer a terminal, but for the characters kept."""
    shown = (one if one.isprintable() or one in kept else " " for one in text)
    return " ".join(filter(None, "".join(shown).split(" ")))


def isolated(name: str) -> str:
    """The name, isolated if it is written from right to left: it would reorder its neighbours."""
    if not any(bidirectional(one) in ("R", "AL") for one in name):
        return name
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}"


def called(names: Sequence[str], player: int, language: str, numbered: Text) -> str:
    """Returns the name of a player in one line, or the number from 1 where there is no name."""
    name = isolated(printable(names[player])) if player < len(names) else ""
    return name or filled(in_language(numbered, language), language, {"n": player + 1})


@dataclass(frozen=True, slots=True)
class Voice:
    """Says sentences in one language, to one listener.

    ``sentences`` are templates by their keys: a text in several languages, or several texts of
    which the key of a sentence about a player has ``you``, ``other`` and ``host``, and that of a
    number ``one`` and ``many``.
    """

    language: str
    sentences: Mapping[str, Any]
    vocabulary: Mapping[str, Text]
    names: Sequence[str] = ()
    """The players; without names they are called by their numbers, from 1."""
    listener: int | None = None
    """Which player is called "you"; None where a question names no player at all."""

    def say(self, key: str, kind: str = "", **gaps: object) -> str:
        """The sentence of this key, or of one kind of it."""
        text = self.sentences[key]
        return filled(in_language(text[kind] if kind else text, self.language), self.language, gaps)

    def count(self, key: str, n: float, **gaps: object) -> str:
        """The sentence about a number of things; a key may have one of its own about two."""
        return self.say(key, number_of(n, self.language, self.sentences[key]), n=n, **gaps)

    def tell(self, key: str, player: int | None, **gaps: object) -> str:
        """The sentence about a player, who may be the listener; None is the host of a session."""
        if player == self.listener:
            return self.say(key, "you", **gaps)
        if player is None:
            return self.say(key, "host", **gaps)
        return self.say(key, "other", name=self.name(player), **gaps)

    def name(self, player: int) -> str:
        """What a player is called, in one line."""
        if player == self.listener:
            return self.say("you")
        return called(self.names, player, self.language, self.sentences["player"])

    def ranked(self, counts: Sequence[int], winners: Sequence[int]) -> str:
        """Every player with points or coins, the winners first, then the most."""
        order = sorted(range(len(counts)), key=lambda one: (one not in winners, -counts[one]))
        return listed(f"{self.name(one)} {written(counts[one], self.language)}" for one in order)

    def number(self, value: float) -> str:
        """A number with at most one decimal."""
        return written(value, self.language)

    def percent(self, chance: float) -> str:
        """A chance in percent, with three digits that count."""
        percents = 100 * chance
        decimals = 2 - floor(log10(percents)) if percents else 0
        return self.say("percent", n=written(percents, self.language, max(decimals, 0)))

    def term(self, word: str) -> str:
        """The table's word for an id of the game."""
        return term(self.vocabulary, word, self.language)

    def deed(self, event: Mapping[str, Any]) -> str:
        """Returns an event that somebody chose, as a part of a sentence."""
        gaps = {
            name: self.term(value) if isinstance(value, str) else spaced(value)
            for name, value in event.items()
        }
        # A throw that holds nothing is one of all dice.
        kind = event["type"] if event.get("held", True) else f"{event['type']}-all"
        return self.say("deed", kind, **gaps)


def flowed(sentences: Iterable[str]) -> list[str]:
    """The sentences in lines of a terminal's width; one that is longer has a line of its own."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < WIDTH:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def spaced(dice: Iterable[int | str]) -> str:
    """Dice by their faces, as they are read out: ``1 1 5``."""
    return " ".join(map(str, dice))


def listed(parts: Iterable[str]) -> str:
    """Things one after the other."""
    return ", ".join(parts)


def cited(rules: Iterable[str]) -> str:
    """The numbers of rules, as a sentence cites them."""
    return listed(sorted(set(rules)))
