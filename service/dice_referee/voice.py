"""Sentences for people: templates in several languages, filled for a listener."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any
from unicodedata import bidirectional, category, normalize

from dice_referee.rulebook.findings import Param

Text = Mapping[str, str]

MOST_CHOICES = 5
"""Maximum listed choices. A last line counts the others."""

WIDTH = 80
"""Maximum characters of a line that joins sentences. Braille displays wrap it."""

EVERYBODY = -1
"""Listener of sentences to the whole table, which call every player by name."""

SPACES = "\u00a0\u202f"
"""Non-breaking spaces, before French punctuation and between thousands."""

JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Characters that join several characters into a single sign, as in many emoji."""

INVISIBLE = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols without ink: fillers of Hangul, and the empty pattern of Braille."""

ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""Characters that isolate a right-to-left name from the text around it."""


SPELLING: dict[str, Any] = json.loads(Path(__file__).with_name("spelling.json").read_text("utf-8"))
"""Spelling of numbers and of words beside a value, by language.

``separators`` are those of thousands and decimals. ``seams`` are words that change before a value:
``elided`` before one of ``vowels``, ``joined`` with the article of a player without a name.
"""

MINUS = "\N{MINUS SIGN}"
LEAST_GROUPED = 10_000
"""Smallest number that has a thousands separator."""

_SEAM = re.compile(r"(?:^|\b(\w+) )\0(\w+ \w+(?= \d))?")
"""Pattern of a word before a value, and of the value if it can be a player without a name.

A null character marks where the value begins.
"""


def in_language(text: Text, language: str) -> str:
    return text.get(language) or text["en"]


def term(vocabulary: Mapping[str, Text], word: str, language: str) -> str:
    """Returns the players' term for an id of the game, or the id without a term."""
    text = vocabulary.get(word)
    return word if text is None else in_language(text, language)


def format_number(value: float | Decimal, language: str, decimals: int = 1) -> str:
    """Formats a number for a language, with a maximum number of decimals. Halves round up."""
    separators = SPELLING["separators"]
    thousands, point = separators.get(language, separators["en"])
    exact = Decimal(str(abs(value)))
    rounded = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    digits, _, rest = f"{rounded:f}".partition(".")
    rest = rest.rstrip("0")
    if int(digits) >= LEAST_GROUPED:
        digits = f"{int(digits):,}".replace(",", thousands)
    sign = MINUS if value < 0 and (int(rest or 0) or digits != "0") else ""
    return f"{sign}{digits}{point if rest else ''}{rest}"


def number_of(n: float, language: str, kinds: Mapping[str, Any]) -> str:
    """Returns the plural form for a count. French uses the singular below two."""
    if n == 0 and "none" in kinds:
        return "none"
    if abs(n) == 1 or (language == "fr" and abs(n) < 2):
        return "one"
    return "two" if n == 2 and "two" in kinds else "many"


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, name) for literal, name, _, _ in Formatter().parse(template))


def fill(template: str, language: str, gaps: Mapping[str, object]) -> str:
    """Fills a template, formats its numbers and elides words before vowels."""
    parts = []
    for literal, name in _pieces(template):
        parts.append(literal)
        if name is not None:
            gap = gaps[name]
            value = format_number(gap, language) if isinstance(gap, int | float) else str(gap)
            parts += ("\0", value)
    text = "".join(parts)
    if seams := SPELLING["seams"].get(language):
        text = _SEAM.sub(lambda match: _joined(match, **seams), text)
    return text.replace("\0", "")


def _joined(
    match: re.Match[str], vowels: str, elided: Mapping[str, str], joined: Mapping[str, str]
) -> str:
    """Returns a word as it is before a value, with a value that can be a player without a name."""
    word, player = match[1] or "", match[2] or ""
    if both := joined.get(f"{word} {player}".strip()):
        return both
    short, value = elided.get(word.lower()), match.string[match.end() - len(player) :]
    if short and value and value[0].lower() in vowels:
        return word[0] + short[1:] + player
    return match[0]


def param_text(value: Param) -> str:
    """Formats the value of a placeholder. Commas separate the parts of a list."""
    return comma_list(map(str, value)) if isinstance(value, tuple) else str(value)


def printable(text: str, allowed: str = "") -> str:
    """Returns the text in a line, with a space for each unprintable character.

    The characters in ``allowed`` stay.
    """
    characters = (char if char.isprintable() or char in allowed else " " for char in text)
    return " ".join(filter(None, "".join(characters).split(" ")))


def is_visible(text: str) -> bool:
    """Tells if a text contains a letter, a digit, a sign or a symbol with ink."""
    return any(category(char)[0] in "LNPS" and char not in INVISIBLE for char in text)


def isolate(name: str) -> str:
    """Isolates a right-to-left name, which would reorder the text around it."""
    if not any(bidirectional(char) in ("R", "AL") for char in name):
        return name
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}"


@lru_cache(maxsize=256)
def _distinct_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns each name in a line, with its seat from 1 if another name is equal.

    Names without visible characters become empty.
    """
    lines = [normalize("NFC", printable(name, JOINERS)) for name in names]
    return tuple(
        (isolate(line) if lines.count(line) == 1 else f"{isolate(line)} ({seat})")
        if is_visible(line)
        else ""
        for seat, line in enumerate(lines, 1)
    )


def player_name(names: Sequence[str], player: int, language: str, numbered: Text) -> str:
    """Returns the name of a player in a line, or the number from 1 without a name."""
    name = _distinct_names(tuple(names))[player] if player < len(names) else ""
    return name or fill(in_language(numbered, language), language, {"n": player + 1})


@dataclass(frozen=True, slots=True)
class Voice:
    """Forms sentences in a language, for a listener.

    ``sentences`` are templates by their keys: a text in several languages, or several variants of
    the text. Sentences about a player have the variants ``you``, ``other`` and ``host``. Sentences
    about a number have ``one`` and ``many``.
    """

    language: str
    sentences: Mapping[str, Any]
    vocabulary: Mapping[str, Text]
    names: Sequence[str] = ()
    listener: int | None = None
    """Player addressed as "you", or None if a question names no player."""

    def say(self, key: str, kind: str = "", **gaps: object) -> str:
        text = self.sentences[key]
        return fill(in_language(text[kind] if kind else text, self.language), self.language, gaps)

    def count(self, key: str, n: float, **gaps: object) -> str:
        return self.say(key, number_of(n, self.language, self.sentences[key]), n=n, **gaps)

    def tell(self, key: str, player: int | None, **gaps: object) -> str:
        """Returns the sentence of a key about a player, or about the host for None.

        The sentence addresses a player who listens as "you".
        """
        if player == self.listener:
            return self.say(key, "you", **gaps)
        if player is None:
            return self.say(key, "host", **gaps)
        return self.say(key, "other", name=self.name(player), **gaps)

    def name(self, player: int, numbered: str = "player") -> str:
        """Returns a player's name in a line, or "you" for the listener.

        ``numbered`` is the key of the text for a player without a name.
        """
        if player == self.listener:
            return self.say("you")
        return player_name(self.names, player, self.language, self.sentences[numbered])

    def all_names(self, players: Sequence[int]) -> str:
        """Joins names of players with commas and "and"."""
        return self.all_of([self.name(player) for player in players])

    def ranking(self, counts: Sequence[int], winners: Sequence[int]) -> str:
        """Lists all players with their points or coins, winners first, then by count."""
        order = sorted(range(len(counts)), key=lambda at: (at not in winners, -counts[at]))
        return comma_list(
            f"{self.name(at, 'seat')} {format_number(counts[at], self.language)}" for at in order
        )

    def all_of(self, parts: Sequence[str]) -> str:
        *first, last = parts
        # No item of a list begins a sentence, so its names do not change.
        template = in_language(self.sentences["all-of"], self.language)
        return template.format(first=comma_list(first), last=last) if first else last

    def number(self, value: float) -> str:
        """Formats a number with at most a single decimal."""
        return format_number(value, self.language)

    def percent(self, chance: float) -> str:
        """Formats a probability in percent, to three significant digits."""
        percents = Decimal(str(chance)).scaleb(2)
        decimals = 2 - percents.adjusted() if percents else 0
        return self.say("percent", n=format_number(percents, self.language, max(decimals, 0)))

    def term(self, word: str) -> str:
        return term(self.vocabulary, word, self.language)

    def deed(self, event: Mapping[str, Any]) -> str:
        gaps = {
            name: self.term(value) if isinstance(value, str) else say_dice(sorted(value, key=_rank))
            for name, value in event.items()
        }
        kind = "hold" if event.get("held") else event["type"]
        return self.say("deed", kind, **gaps)


def wrap(sentences: Iterable[str]) -> list[str]:
    """Joins sentences into lines of a terminal's width. A longer sentence gets its own line."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < WIDTH:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def _rank(face: int | str) -> tuple[bool, int]:
    """Ranks a face: numbers come first, letters keep their order."""
    return (False, face) if isinstance(face, int) else (True, 0)


def say_dice(dice: Iterable[int | str]) -> str:
    """Formats dice for reading aloud: ``1 1 5``."""
    return " ".join(map(str, dice))


def comma_list(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def cite(rules: Iterable[str]) -> str:
    """Lists the numbers of rules, sorted, for a citation."""
    return comma_list(sorted(set(rules)))
