"""The catalogue: games, rulesets, options and rules."""

from collections.abc import Collection, Mapping
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api.answers import cacheable, file_answer, text_answer
from dice_referee.api.documents import game_of, query_document
from dice_referee.api.headers import CACHEABLE
from dice_referee.api.i18n import rule_document, rulebook
from dice_referee.api.message import TEXT, Answer, Request
from dice_referee.api.negotiation import language
from dice_referee.api.operation import SPOKEN, make_once, operation
from dice_referee.api.problems import unknown
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.game import Piece
from dice_referee.rulebook.ruleset import Option, OptionValue
from dice_referee.sentences import report, speech
from dice_referee.validation.fields import Text
from dice_referee.validation.schema import define
from dice_referee.voice import in_language, term

CASES_QUERY = define("CasesQuery", {"rule": Text(1, 40)})

blueprint = Blueprint("catalogue", __name__)


@operation(blueprint, "GET", "", offers=SPOKEN, quick=True)
def show_game(request: Request) -> Answer:
    game = game_of(request)
    lang = language(request, game.languages)
    document = {
        **summary_document(game, lang),
        "rulesets": [ruleset_document(game, name, lang) for name in game.rulesets],
        "options": [option_document(game, option, lang) for option in game.options],
        **_material(game, lang),
    }
    return cacheable(request, document, lang, lambda: report.game(game, document, lang))


@operation(blueprint, "GET", "/rulesets/<ruleset>", offers=SPOKEN, quick=True)
def show_ruleset(request: Request) -> Answer:
    game = game_of(request)
    ruleset = _require("unknown-ruleset", request.parameters["ruleset"], game.rulesets)
    lang, values = language(request, game.languages), game.rulesets[ruleset].options
    document = {
        "game": game.name,
        **ruleset_document(game, ruleset, lang),
        "options": [
            option_document(game, option, lang) | {"value": values[option.name]}
            for option in game.options
        ],
        **_material(game, lang),
    }
    return cacheable(request, document, lang, lambda: report.ruleset(document))


@operation(blueprint, "GET", "/rules", offers=SPOKEN, quick=True)
def list_rules(request: Request) -> Answer:
    book = rulebook(request.parameters["game"])
    lang = language(request, book.languages)
    rules = [rule_document(book, number, lang) for number in book.rules]
    if request.accepted == TEXT:
        return text_answer(report.rules(rules), lang, cache=CACHEABLE)
    return file_answer(request, orjson.dumps({"game": book.game, "rules": rules}), lang=lang)


@operation(blueprint, "GET", "/rules/<number>", offers=SPOKEN, quick=True)
def show_rule(request: Request) -> Answer:
    game, number = game_of(request), request.parameters["number"]
    book = rulebook(game.name)
    lang = language(request, book.languages)
    document = rule_document(book, _require("unknown-rule", number, book.rules), lang)
    return cacheable(request, document, lang, lambda: report.rule(game, document, lang))


@operation(blueprint, "GET", "/cases", offers=SPOKEN)
def list_cases(request: Request) -> Answer:
    table = make_once(case_table, request.parameters["game"])
    query = query_document(request, CASES_QUERY)
    if "rule" in query:
        table = table.of_rule(_require("unknown-rule", query["rule"], rulebook(table.game).rules))
    if request.accepted == TEXT:
        return text_answer(report.cases(table.cases), "en", cache=CACHEABLE)
    content = orjson.dumps(table) if "rule" in query else make_once(cases_json, table.game)
    return file_answer(request, content, lang="en")


def cases_json(game: str) -> bytes:
    return orjson.dumps(case_table(game))


def _require(key: str, name: str, known: Collection[str]) -> str:
    """Returns a known name. Otherwise raises a problem with the detail ``key``."""
    if name not in known:
        raise unknown(key, name, known)
    return name


def _texts(words: Mapping[str, Any], lang: str, *names: str) -> dict[str, str]:
    return {name: in_language(words[name], lang) for name in names}


def games_in_sentences(lang: str) -> list[str]:
    return speech.apart(
        report.summary(game, summary_document(game, lang), lang) for game in catalogue().values()
    )


def summary_document(game: AnyGame, lang: str) -> dict[str, Any]:
    return {
        "game": game.name,
        **_texts(rulebook(game.name).words, lang, "title", "description"),
        "default_ruleset": game.default.id,
        "rulesets": list(game.rulesets),
        "languages": game.languages,
        "players": {"minimum": game.players[0], "maximum": game.players[1]},
    }


def ruleset_document(game: AnyGame, name: str, lang: str) -> dict[str, Any]:
    texts = _texts(rulebook(game.name).words["rulesets"][name], lang, "title", "text")
    rules = game.rulesets[name]
    aims = [aim._asdict() for aim in game.solved_aims(rules)]
    return {"ruleset": name, **texts, "ruleset_hash": rules.hash, "aims": aims}


def option_document(game: AnyGame, option: Option, lang: str) -> dict[str, Any]:
    words = rulebook(game.name).words["options"][option.name]
    return {
        "option": option.name,
        **_texts(words, lang, "title"),
        "rule": option.rule,
        "values": [_value(game, option, value, lang) for value in option.values],
        "minimum": option.minimum,
        "maximum": option.maximum,
        "length": option.length,
        "text": None if option.values else in_language(words["values"]["any"], lang),
    }


def _value(game: AnyGame, option: Option, value: OptionValue, lang: str) -> dict[str, Any]:
    meanings = game.words["options"][option.name]["values"]
    meant = meanings[str(value).lower() if option.values else "any"]
    title = report.option_title(game, option.name, value, lang)
    return {"value": value, "title": title, "text": in_language(meant, lang)}


def _material(game: AnyGame, lang: str) -> dict[str, Any]:
    words, vocabulary = game.words, game.words["vocabulary"]
    pieces = {"deck": game.deck, "categories": game.categories, "combos": game.combos}

    def describe(piece: Piece) -> dict[str, Any]:
        text = words.get("pieces", {}).get(piece.id)
        return {
            "id": piece.id,
            "title": term(vocabulary, piece.id, lang),
            "text": text and in_language(text, lang),
            "rule": piece.rule,
            "copies": piece.copies,
        }

    return {
        "dice": game.dice,
        **{name: [describe(piece) for piece in some] for name, some in pieces.items()},
        "vocabulary": [{"id": word, "term": term(vocabulary, word, lang)} for word in vocabulary],
    }
