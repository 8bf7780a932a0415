"""Texts in the reader's language: texts of the service and of each game's rulebook."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dice_referee.games import catalogue
from dice_referee.rulebook.findings import Param, SchemaError
from dice_referee.rulebook.texts import toml
from dice_referee.voice import Text, format_number, in_language, param_text

LANGUAGES = ("en", "de", "fr", "it")
"""Languages of the service's own texts. A game may have further languages."""


@cache
def service_words() -> dict[str, Any]:
    return toml("dice_referee.api", "words.toml")


def load_texts(games: Iterable[str]) -> None:
    """Reads all texts at the start, so that no request reads a file for them."""
    service_words()
    for game in games:
        rulebook(game)


def detail(key: str, language: str, **params: Param) -> str:
    """Returns the ``detail`` of a problem. Quotes from the request are truncated."""
    quoted = {
        # Clients must send the version, so it stays a plain number.
        name: format_number(value, language)
        if isinstance(value, int) and name != "version"
        else str(value)[:100]
        for name, value in params.items()
    }
    return _fill(service_words()["details"][key], language, quoted)


def problem_title(code: str, language: str) -> str:
    return in_language(service_words()["problems"][code]["title"], language)


def problem_text(code: str, language: str) -> str:
    return in_language(service_words()["problems"][code]["text"], language)


def error_document(error: SchemaError, language: str) -> dict[str, str]:
    words, params = service_words(), {key: param_text(value) for key, value in error.params.items()}
    if "expected" in params:
        game = error.params.get("game")
        forms = catalogue()[str(game)].words["line"] if game else words["expected"]
        params["expected"] = in_language(forms[params["expected"]], language)
    sentences = words["errors"][error.code]
    if "range" in sentences:
        sentences = sentences["exact" if params["minimum"] == params["maximum"] else "range"]
    text = _fill(sentences, language, params)
    if "part" in params:
        text = in_language(words["places"][params["part"]], language).format(**params) + text
    return {"code": error.code, "detail": text, "pointer": error.pointer}


def _fill(text: Text, language: str, params: Mapping[str, str]) -> str:
    hints = [hint for name, hint in service_words()["hints"].items() if name in params]
    return " ".join(in_language(sentence, language).format(**params) for sentence in (text, *hints))


class Rulebook:
    def __init__(self, game: str) -> None:
        self.game = game
        rules = toml(f"dice_referee.games.{game}", "rules.toml")
        self.sources: dict[str, Any] = rules["sources"]
        self.rules: dict[str, Any] = {rule["number"]: rule for rule in rules["rules"]}
        self.words = catalogue()[game].words
        self.languages = tuple(next(iter(self.rules.values()))["text"])
        """Languages of the rules and findings. The words may have further languages."""


rulebook = cache(Rulebook)


def text_language(lang: str) -> str:
    """Returns the language of sentences: English for languages that have only terms (Danish)."""
    return lang if lang in LANGUAGES else "en"


def rule_document(rules: Rulebook, number: str, lang: str) -> dict[str, Any]:
    rule = rules.rules[number]
    sources = [
        {"id": source, "title": in_language(rules.sources[source]["title"], lang)}
        for source in rule["sources"]
    ]
    return {
        "number": number,
        "status": rule["status"],
        **{name: in_language(rule[name], lang) for name in ("text", "reasoning")},
        "reading": in_language(rule["reading"], lang) if "reading" in rule else None,
        "sources": sources,
        "options": rule["options"],
    }
