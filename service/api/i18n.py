"""Texts in the reader's language: those of the service and those of each game's book of rules."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from service.games import catalogue
from service.games.base import Game
from service.rules.findings import Finding, Param, SchemaError
from service.rules.voice import in_language, term

LANGUAGES = ("en", "de", "fr", "it")
"""Languages of the service's own texts; a game may have others besides."""


@cache
def service_words() -> dict[str, Any]:
    """The texts of problems, their details and schema errors."""
    return toml("service.api", "words.toml")


def load_texts(games: Iterable[str]) -> None:
    """Reads all texts once at the start: after it no request reads a file for its words."""
    service_words()
    for game in games:
        rulebook(game)


def toml(package: str, name: str) -> dict[str, Any]:
    """The document of a TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))


def detail(key: str, language: str, **params: Param) -> str:
    """The ``detail`` of a problem; what it quotes of the request is cut to a line."""
    quoted = {name: str(value)[:100] for name, value in params.items()}
    return in_language(service_words()["details"][key], language).format(**quoted)


def problem_title(code: str, language: str) -> str:
    """The name of a problem."""
    return in_language(service_words()["problems"][code]["title"], language)


def problem_text(code: str, language: str) -> str:
    """What a problem means and what to do about it."""
    return in_language(service_words()["problems"][code]["text"], language)


def error_document(error: SchemaError, language: str) -> dict[str, str]:
    """A place where the request is not of the schema, with what would have been right."""
    words, params = service_words(), {key: _listed(value) for key, value in error.params.items()}
    if "expected" in params:
        params["expected"] = in_language(words["expected"][params["expected"]], language)
    text = in_language(words["errors"][error.code], language).format(**params)
    return {"code": error.code, "detail": text, "pointer": error.pointer}


def _listed(value: Param) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class Rulebook:
    """A game's rules and words, read from the data beside its code."""

    def __init__(self, game: str) -> None:
        self.game = game
        rules = toml(f"service.games.{game}", "rules.toml")
        self.sources: dict[str, Any] = rules["sources"]
        self.rules: dict[str, Any] = {rule["number"]: rule for rule in rules["rules"]}
        self.words = catalogue()[game].words
        self.languages = tuple(next(iter(self.rules.values()))["text"])
        """The languages of the rules and findings; a table's words may be in others besides."""

    def term(self, word: str, language: str) -> str:
        """The table's word for an id of the game; the id itself where no table has one."""
        return term(self.words["vocabulary"], word, language)

    def finding_document(self, finding: Finding, language: str) -> dict[str, str]:
        """A finding with its sentence."""
        params = {
            name: self._param(name, value, language) for name, value in finding.params.items()
        }
        text = in_language(self.words["findings"][finding.code], language).format(**params)
        return {
            "code": finding.code,
            "rule": finding.rule,
            "detail": text,
            "pointer": finding.pointer,
        }

    def _param(self, name: str, value: Param, language: str) -> str:
        # What is expected is given as it has to be sent: an id, not the table's word for it.
        if isinstance(value, str) and name != "expected":
            return self.term(value, language)
        return _listed(value)


def in_words(game: Game, findings: Iterable[Finding], language: str) -> list[dict[str, str]]:
    """The findings of this game with their sentences."""
    return [rulebook(game.name).finding_document(one, language) for one in findings]


def illegal_in_words(game: Game, answer: Mapping[str, Any], language: str) -> list[dict[str, str]]:
    """The findings against the first illegal event of a log, if there is one, with sentences."""
    illegal = answer["first_illegal"]
    return in_words(game, illegal["findings"] if illegal else (), language)


rulebook = cache(Rulebook)
"""The rulebook of a game of the catalogue, by its name."""
