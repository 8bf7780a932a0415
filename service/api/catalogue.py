"""The catalogue: games, their rulesets and options, and the rules themselves, one by one."""

from typing import Any

import orjson
from flask import Flask, Response

from service.api.answering import cached, in_words, language
from service.api.problems import Refused
from service.api.reading import accept
from service.api.words import Book, book, in_language
from service.games import catalogue
from service.http.message import JSON
from service.rules.game import Game, Option, Piece


def add_catalogue(app: Flask) -> None:
    """The resources under ``/v1/games``."""
    for path, view in (
        ("/v1/games", list_games),
        ("/v1/games/<game>", show_game),
        ("/v1/games/<game>/rulesets/<ruleset>", show_ruleset),
        ("/v1/games/<game>/rules", list_rules),
        ("/v1/games/<game>/rules/<number>", show_rule),
    ):
        app.add_url_rule(path, f"catalogue.{view.__name__}", view, methods=["GET"])


def list_games() -> Response:
    """Every game, in a line each."""
    accept(JSON)
    spoken = language()
    games = [_summary(game, spoken) for game in catalogue().values()]
    return _spoken({"games": games}, spoken)


def show_game(game: str) -> Response:
    """One game: its rulesets, options, material and words."""
    accept(JSON)
    found = _game(game)
    spoken = language(found.languages)
    document = {
        **_summary(found, spoken),
        "rulesets": [_ruleset(found, name, spoken) for name in found.rulesets],
        "options": [_option(book(game), option, spoken) for option in found.options],
        **_material(found, spoken),
    }
    return _spoken(document, spoken)


def show_ruleset(game: str, ruleset: str) -> Response:
    """One ruleset: what it says of every option."""
    accept(JSON)
    found = _game(game)
    if ruleset not in found.rulesets:
        raise Refused("not-found", "unknown-ruleset", {"name": ruleset})
    spoken, values = language(found.languages), found.rulesets[ruleset]
    options = [
        _option(book(game), option, spoken) | {"value": values[option.name]}
        for option in found.options
    ]
    document = {
        "game": game,
        **_ruleset(found, ruleset, spoken),
        "options": options,
        **_material(found, spoken),
    }
    return _spoken(document, spoken)


def list_rules(game: str) -> Response:
    """Every rule of a game, in the order of the book."""
    accept(JSON)
    spoken = language(book(_game(game).name).languages)
    rules = [_rule(book(game), number, spoken) for number in book(game).rules]
    return _spoken({"game": game, "rules": rules}, spoken)


def show_rule(game: str, number: str) -> Response:
    """One rule: what it says, where it comes from, whether it is official."""
    accept(JSON)
    spoken = language(book(_game(game).name).languages)
    if number not in book(game).rules:
        raise Refused("not-found", "unknown-rule", {"name": number})
    return _spoken(_rule(book(game), number, spoken), spoken)


def _game(name: str) -> Game:
    if name not in catalogue():
        raise Refused("not-found", "unknown-game", {"name": name})
    return catalogue()[name]


def _spoken(document: dict[str, Any], spoken: str) -> Response:
    return in_words(cached(orjson.dumps(document)), spoken)


def _summary(game: Game, spoken: str) -> dict[str, Any]:
    words = book(game.name).words
    return {
        "game": game.name,
        "title": in_language(words["title"], spoken),
        "description": in_language(words["description"], spoken),
        "default_ruleset": game.default_ruleset,
        "rulesets": list(game.rulesets),
        "languages": game.languages,
        "players": {"minimum": game.players[0], "maximum": game.players[1]},
    }


def _ruleset(game: Game, name: str, spoken: str) -> dict[str, Any]:
    words = book(game.name).words["rulesets"][name]
    return {
        "ruleset": name,
        "title": in_language(words["title"], spoken),
        "text": in_language(words["text"], spoken),
        "ruleset_hash": game.ruleset_hash(name),
    }


def _option(rules: Book, option: Option, spoken: str) -> dict[str, Any]:
    words = rules.words["options"][option.name]
    readings = {name: in_language(text, spoken) for name, text in words["values"].items()}
    return {
        "option": option.name,
        "title": in_language(words["title"], spoken),
        "rule": option.rule,
        "values": [
            {"value": value, "text": readings[str(value).lower()]} for value in option.values
        ],
        "minimum": option.minimum,
        "maximum": option.maximum,
        "length": option.length,
        "text": None if option.values else readings["any"],
    }


def _material(game: Game, spoken: str) -> dict[str, Any]:
    """What the game is played with, and its words."""
    rules = book(game.name)

    def described(pieces: tuple[Piece, ...]) -> list[dict[str, Any]]:
        return [
            {
                "id": piece.id,
                "title": rules.term(piece.id, spoken),
                "rule": piece.rule,
                "copies": piece.copies,
            }
            for piece in pieces
        ]

    return {
        "dice": game.dice,
        "deck": described(game.deck),
        "categories": described(game.categories),
        "combos": described(game.combos),
        "vocabulary": [
            {"id": word, "term": rules.term(word, spoken)} for word in rules.words["vocabulary"]
        ],
    }


def _rule(rules: Book, number: str, spoken: str) -> dict[str, Any]:
    rule = rules.rules[number]
    return {
        "number": number,
        "status": rule["status"],
        "text": in_language(rule["text"], spoken),
        "reasoning": in_language(rule["reasoning"], spoken),
        "sources": [
            {"id": source, "title": rules.sources[source]["title"]} for source in rule["sources"]
        ],
        "options": rule["options"],
    }
