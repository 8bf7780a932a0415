"""The rules as pages: every rule, a comparison of rulesets, and how to play in a minute."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import Blueprint
from markupsafe import Markup, escape

from dice_referee.api.catalogue import option_document, ruleset_document, summary_document
from dice_referee.api.i18n import Rulebook, rule_document, rulebook
from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import make_once
from dice_referee.api.spelling import nearest
from dice_referee.games import catalogue
from dice_referee.games.cases import Case, case_table
from dice_referee.games.game import AnyGame
from dice_referee.sentences import report
from dice_referee.voice import in_language, term
from dice_referee.web.html import Reader, page_operation, reader_of
from dice_referee.web.problems import missing
from dice_referee.web.strips import clearest_dice, strip

CITED = re.compile(r"`(?P<code>[^`]+)`|\b(?P<number>[A-Z]\d+\.\d+[a-z]?)\b")
SHOWN = frozenset({200, 422})
"""Statuses of cases that the playground can show, in which the request has a valid shape."""
PLAYED = frozenset({"adjudications", "transitions", "audits"})
"""Resources of cases that the playground can show."""
SEARCHED = ("number", "text", "reasoning", "standing")

blueprint = Blueprint("rules", __name__)


@page_operation(blueprint, "GET", "/rules")
def list_games(request: Request) -> Answer:
    reader = reader_of(request)
    games = [(summary_document(game, reader.lang), picture(game)) for game in catalogue().values()]
    return reader.page("games.html", games=games)


@page_operation(blueprint, "GET", "/rules/<game>")
def show_game(request: Request) -> Answer:
    game = catalogue().get(request.parameters["game"])
    if game is None:
        return _unknown_game(request)
    reader, book = reader_of(request), rulebook(game.name)
    wanted = fold(reader.query.get("q", "")).split()
    rules = [_rule(book, number, reader) for number in book.rules]
    dice = make_once(clearest_dice, game.name)
    for rule in rules:
        rule["dice"] = dice.get(rule["number"])
        searched = fold(" ".join(rule[name] for name in SEARCHED)) if wanted else ""
        rule["found"] = all(word in searched for word in wanted)
    return reader.page(
        "game.html",
        game=summary_document(game, reader.lang),
        picture=picture(game),
        rules=rules,
        chapters=[
            (id_, in_language(title, reader.lang), [rule for rule in rules if chapter(rule) == id_])
            for id_, title in book.words["chapters"].items()
        ],
        rulesets=[ruleset_document(game, name, reader.lang) for name in game.rulesets],
        options=sorted(_options(game, reader), key=lambda option: not option["differs"]),
        sources={
            source_id: in_language(source["title"], reader.lang)
            for source_id, source in book.sources.items()
        },
    )


@page_operation(blueprint, "GET", "/rules/<game>/<number>")
def show_rule(request: Request) -> Answer:
    game, number = catalogue().get(request.parameters["game"]), request.parameters["number"]
    if game is None:
        return _unknown_game(request)
    if number not in rulebook(game.name).rules:
        return missing(request)
    reader, book = reader_of(request), rulebook(game.name)
    rule, numbers = _rule(book, number, reader), list(book.rules)
    at, table = numbers.index(number), make_once(case_table, game.name)
    cases = [_case(game, case, reader) for case in table.of_rule(number).cases]
    return reader.page(
        "rule.html",
        game=summary_document(game, reader.lang),
        rule=rule,
        options=[
            option for option in _options(game, reader) if option["option"] in rule["options"]
        ],
        cases=cases,
        clearest=_clearest(cases),
        before=numbers[at - 1] if at else None,
        after=numbers[at + 1] if at + 1 < len(numbers) else None,
    )


@page_operation(blueprint, "GET", "/play/<game>")
def show_how_to_play(request: Request) -> Answer:
    game = catalogue().get(request.parameters["game"])
    if game is None:
        return _unknown_game(request)
    reader = reader_of(request)
    texts = rulebook(game.name).words["how_to_play"].values()
    steps = [(in_language(text["text"], reader.lang), text.get("position")) for text in texts]
    summary = summary_document(game, reader.lang)
    return reader.page("how-to-play.html", game=summary, picture=picture(game), steps=steps)


def _unknown_game(request: Request) -> Answer:
    page, _, *rest = request.path.split("/")[1:]
    near = nearest(request.parameters["game"], catalogue())
    return missing(request, None if near is None else "/".join(["", page, near, *rest]))


def fold(text: str) -> str:
    """Normalizes a text for the search: no accents, lower case, the same apostrophe."""
    parts = unicodedata.normalize("NFKD", text)
    return (
        "".join(part for part in parts if not unicodedata.combining(part))
        .casefold()
        .replace("’", "'")
    )


def _rule(book: Rulebook, number: str, reader: Reader) -> dict[str, Any]:
    rule = rule_document(book, number, reader.lang)
    return {
        **rule,
        "standing": reader.say(rule["status"]),
        "linked": {
            name: _format_text(rule[name] or "", book, reader)
            for name in ("text", "reasoning", "reading")
        },
    }


def _format_text(text: str, book: Rulebook, reader: Reader) -> Markup:
    def marked(match: re.Match[str]) -> str:
        code, number = match["code"], match["number"]
        if code is not None:
            return f"<code>{code}</code>"
        if number not in book.rules:
            return number
        return f'<a href="{reader.link(f"/rules/{book.game}/{number}")}">{number}</a>'

    # The text is escaped. Numbers of rules and addresses of pages need no escaping.
    return Markup(CITED.sub(marked, str(escape(text))))  # nosec B704


def picture(game: AnyGame) -> Sequence[str]:
    names: Sequence[str] = rulebook(game.name).words["picture"]
    return names


def chapter(rule: Mapping[str, Any]) -> str:
    """Returns the chapter of a rule: T5 of T5.5a, O of O16."""
    number: str = rule["number"]
    return number.partition(".")[0] if "." in number else number[0]


def _clearest(cases: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    sound = [case for case in cases if case["strip"].dice and case["strip"].tone != "bad"]
    return next((case for case in sound if case["strip"].tone), sound[0] if sound else None)


def _options(game: AnyGame, reader: Reader) -> Iterator[dict[str, Any]]:
    for option in game.options:
        values = {name: rules.options[option.name] for name, rules in game.rulesets.items()}
        published = {
            name: report.option_title(game, option.name, value, reader.lang)
            for name, value in values.items()
        }
        differs = len(set(published.values())) > 1
        document = option_document(game, option, reader.lang)
        yield {**document, "published": published, "differs": differs}


def _case(game: AnyGame, case: Case, reader: Reader) -> dict[str, Any]:
    """Returns a case for display. The playground builds its address from ``state``."""
    book, request = rulebook(game.name), dict(case.request)
    state = {
        "game": game.name,
        "ruleset": request.pop("ruleset", None),
        "options": request.pop("options", {}),
        "event": request.pop("event", None),
        "players": request.pop("players", None),
        "log": request.pop("log", None),
    }
    if state["players"]:
        # A game has a starter, as the rounds of a position have.
        state["starter"] = request.pop("starter", None)
    state["position"] = request
    laid = strip(case)
    return {
        "strip": laid,
        "card": term(
            game.words["vocabulary"], (laid.card or "").removeprefix("card-"), reader.lang
        ),
        "id": case.id,
        "title": _format_text(case.title, book, reader),
        "comment": _format_text(case.comment, book, reader),
        "resource": f"/v1/{game.name}/{case.resource}",
        "request": _json(case.request),
        "expect": _json(case.expect),
        "state": _json(state) if case.status in SHOWN and case.resource in PLAYED else None,
    }


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)
