"""Sentences for people: templates in several languages, filled for one listener."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import bidirectional

from service.rules.findings import Param

Text = Mapping[str, str]
"""One sentence in several languages."""

WIDTH = 80
"""Characters of a line, as far as sentences go; a braille display has fewer, and wraps them."""

EVERYBODY = -1
"""The listener of what is said to the whole table: every player is called by name."""

ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""What stands around a name whose direction may be another."""


def in_language(text: Text, language: str) -> str:
    """The sentence in this language, or in English."""
    return text.get(language) or text["en"]


def term(vocabulary: Mapping[str, Text], word: str, language: str) -> str:
    """The table's word for an id of the game; the id itself where no table has one."""
    text = vocabulary.get(word)
    return word if text is None else in_language(text, language)


def param_text(value: Param) -> str:
    """What fills a placeholder, as it is told: the parts of a list with commas between them."""
    return listed(map(str, value)) if isinstance(value, tuple) else str(value)


def printable(text: str, kept: str = "") -> str:
    """The text in one line, without what would steer a terminal, but for the characters kept."""
    shown = (one if one.isprintable() or one in kept else " " for one in text)
    return " ".join("".join(shown).split())


def isolated(name: str) -> str:
    """The name, isolated if it is written from right to left: it would reorder its neighbours."""
    if not any(bidirectional(one) in ("R", "AL") for one in name):
        return name
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}"


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
        return in_language(text[kind] if kind else text, self.language).format(**gaps)

    def count(self, key: str, n: int, **gaps: object) -> str:
        """The sentence about a number of things; French counts none like one."""
        single = n == 1 or (n == 0 and self.language == "fr")
        return self.say(key, "one" if single else "many", n=n, **gaps)

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
        name = isolated(printable(self.names[player])) if player < len(self.names) else ""
        return name or self.say("player", n=player + 1)

    def ranked(self, counts: Sequence[int], winners: Sequence[int]) -> str:
        """Every player with points or coins, the winners first, then the most."""
        order = sorted(range(len(counts)), key=lambda one: (one not in winners, -counts[one]))
        return listed(f"{self.name(player)} {counts[player]}" for player in order)

    def number(self, value: float) -> str:
        """A number with one decimal."""
        text = f"{value:.1f}"
        return text if self.language == "en" else text.replace(".", ",")

    def percent(self, chance: float) -> str:
        """A chance in percent."""
        return self.say("percent", n=self.number(100 * chance))

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
