"""Texts as people get them: those of the files, and live answers in each language."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from dice_referee.api.i18n import rulebook, service_words
from dice_referee.games import catalogue
from dice_referee.sentences.findings import common_words
from dice_referee.web.words import rooms
from tests.application import CLIENT
from tests.games.test_laws import RANDOM_GAMES
from tests.games.test_words import texts
from tests.programs import PACKAGE, ROOT

ROUNDS = 25
"""Number of positions and games per game and language, each asked about four times."""
NAMES = ("Ada", "Émile", "Iris", "Otto", "Ugo", "Àlex", "Anna", "Ebba", "Ida", "Olga")
CODE = re.compile(r"`[^`]*`|'Content-Type: application/json'|\(\"\)|\{\w+\}")
"""Pattern of quoted requests in a text, and of its gaps."""
MARKUP = re.compile(
    r"^---\n.*?\n---\n|^```.*?^```|<!--.*?-->|<(script|style|pre|code)\b.*?</\1>|\]\([^)]*\)"
    r"|\{[{%#].*?[}%#]\}|<[^>`|]*>",
    re.MULTILINE | re.DOTALL,
)
"""Pattern of what is not prose in Markdown and HTML: code, comments, tags, targets of links."""


class Text(NamedTuple):
    place: str
    text: str


def prose(text: str) -> str:
    """Replaces quoted requests and placeholders with a digit."""
    return CODE.sub("9", text)


@cache
def written_texts(language: str, game: str = "") -> tuple[Text, ...]:
    """Returns the texts of all files, or of a game and the files that all games share."""
    trees: dict[str, Any] = {"common": common_words()}
    if not game:
        trees |= {"service": service_words(), "web": rooms()}
    for name in (game,) if game else catalogue():
        book = rulebook(name)
        trees |= {name: book.words, f"{name} rules": book.rules, f"{name} sources": book.sources}
    entries = [
        Text(f"{tree}{place}", text[language])
        for tree, words in trees.items()
        for place, text in texts(words)
        if language in text
    ]
    return tuple(entries)


@cache
def documents() -> tuple[Text, ...]:
    """Returns the English prose of the contract, the guides, the pages and the documents."""
    contract = json.loads((PACKAGE / "openapi.json").read_text("utf-8"))
    paths = [
        *(PACKAGE / "web").glob("**/*.html"),
        *(PACKAGE / "web" / "templates").glob("*.txt"),
        *(PACKAGE / "web" / "guides").glob("*.md"),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
        ROOT / "service" / "README.md",
    ]
    prose_of = {path: MARKUP.sub(" ", path.read_text("utf-8")) for path in paths}
    paragraphs = [
        Text(path.name, paragraph)
        for path, text in prose_of.items()
        for paragraph in re.split(r"\n\s*\n|\n(?=[-|])", text)
    ]
    return (*_descriptions(contract, "openapi.json"), *paragraphs)


def _descriptions(node: Any, place: str) -> Iterator[Text]:
    """Yields the summaries and descriptions of a part of the contract, without its examples."""
    if isinstance(node, dict):
        for key, nested in node.items():
            if key in ("summary", "description") and isinstance(nested, str):
                yield Text(f"{place}/{key}", nested)
            elif key not in ("value", "example"):
                yield from _descriptions(nested, f"{place}/{key}")
    elif isinstance(node, list):
        for index, nested in enumerate(node):
            yield from _descriptions(nested, f"{place}/{index}")


def scripts() -> Iterator[Path]:
    """Yields the scripts of the pages."""
    return (PACKAGE / "web" / "static").glob("**/*.js")


@cache
def answers(language: str) -> tuple[Text, ...]:
    """Returns some 300 answers in sentences about positions, events and logs of every game."""
    return tuple(answer for game in RANDOM_GAMES for answer in _answers(game, language))


def _answers(game: str, language: str) -> Iterator[Text]:
    source, rng = RANDOM_GAMES[game], Random(f"{game} {language}")

    def text_of(resource: str, document: dict[str, Any]) -> Text:
        headers = {"Accept": "text/plain", "Accept-Language": language}
        path = f"/v1/{game}/{resource}"
        answer = CLIENT.post(path, json=document, headers=headers)
        assert answer.status_code in (200, 422), answer.get_data(as_text=True)
        return Text(f"{path} {document}", answer.get_data(as_text=True))

    for _ in range(ROUNDS):
        position = source.random_position(rng)
        yield text_of("adjudications", position)
        verdict = CLIENT.post(f"/v1/{game}/adjudications", json=position).get_json()
        for events in source.events_at(position, verdict):
            if events:
                yield text_of("transitions", {**position, "event": rng.choice(events)})
        document = source.random_log(rng)
        count = len(document["players"])
        document |= {"players": list(NAMES[:count])}
        document["log"] = document["log"][: rng.randint(0, len(document["log"]))]
        yield text_of("audits", document)
    for _ in range(4):
        document = source.random_log(rng)
        document.pop("options", None)
        document |= {
            "players": list(NAMES[: len(document["players"])]),
            "ruleset": next(iter(catalogue()[game].rulesets)),
        }
        document["log"] = document["log"][:12]
        yield text_of("reviews", document)
        yield text_of(
            "odds",
            {"ruleset": document["ruleset"]}
            | ({} if game != "pot" else source.random_position(rng) | {"options": {}}),
        )
