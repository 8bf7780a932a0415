"""The words of the pages: those that the service writes, and those of scripts."""

import json
from collections.abc import Collection, Mapping
from functools import cache

from dice_referee.rulebook.texts import toml
from dice_referee.voice import Text

TEMPLATES = "templates"
"""Words that no script says."""


@cache
def rooms() -> Mapping[str, Mapping[str, Text]]:
    """Returns the texts of each folder of scripts, and those of the templates."""
    return toml("dice_referee.web", "words.toml")


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


def script_data(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
