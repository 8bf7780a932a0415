"""The words of the pages: those that the service writes, and those of scripts."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from dice_referee.games import catalogue
from dice_referee.rulebook.texts import toml
from dice_referee.sentences.findings import common_words
from dice_referee.voice import SPELLING, Text
from dice_referee.web.phrases import phrases

TEMPLATES = "templates"
"""Words that no script says."""


_CITATION = re.compile(r" \([A-Z]\d[^()]*\)")


@cache
def rooms() -> Mapping[str, Mapping[str, Text]]:
    """Returns the texts of each folder of scripts, and those of the templates."""
    texts = {
        room: {key: text for entry in entries.items() for key, text in _texts(*entry)}
        for room, entries in toml("dice_referee.web", "words.toml").items()
    }
    return {**texts, "text": {**texts["text"], **phrases()}}


def _texts(key: str, text: Text | str) -> Iterator[tuple[str, Text]]:
    """Yields a text of the pages, or all variants of the sentence that it names.

    A name has the parts ``game/key`` or ``game/key/variant``, without a game for a sentence of all
    games. The key of a variant ends with its name, except for ``other``.
    """
    if not isinstance(text, str):
        yield key, text
        return
    path = text.split("/")
    words = catalogue()[path.pop(0)].words if path[0] in catalogue() else common_words()
    sentence: Any = words["sentences"]
    for part in path:
        sentence = sentence[part]
    if "en" in sentence:
        yield key, _bare(sentence)
        return
    for kind, variant in sentence.items():
        yield key if kind == "other" else f"{key}_{kind}", _bare(variant)


def _bare(sentence: Text) -> Text:
    """Returns a sentence without citations, which pages draw, and without its full stop."""
    return {
        language: _CITATION.sub("", text).removesuffix(".") for language, text in sentence.items()
    }


@cache
def site() -> Mapping[str, Mapping[str, str]]:
    """Returns the page languages, the links in the head of each page, and the parents of pages."""
    return toml("dice_referee.web", "site.toml")


def words() -> Mapping[str, Text]:
    return {**rooms()["shared"], **rooms()[TEMPLATES]}


def script_texts(folders: Collection[str], languages: Collection[str]) -> str:
    """Returns the texts of these folders by language and key, as an object of JavaScript."""
    texts = [entry for room in rooms() if room in folders for entry in rooms()[room].items()]
    return script_data({lang: {key: text[lang] for key, text in texts} for lang in languages})


def script_site(languages: Collection[str]) -> str:
    """Returns what scripts know of the site, with the seams of these languages, as JavaScript."""
    seams = {tag: seam for tag, seam in SPELLING["seams"].items() if tag in languages}
    return script_data({**site(), "seams": seams})


def script_data(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
