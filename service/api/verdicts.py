"""The verbs of every game: adjudications (and their batch), transitions, games, comparisons."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flask import Blueprint

from service.api.answers import text_answer, with_findings
from service.api.batches import OFFERS, Batch, batch_answer
from service.api.documents import (
    game_of,
    json_document,
    log_document,
    note_ruleset,
    query_document,
    validate,
)
from service.api.headers import CACHEABLE, NO_STORE
from service.api.i18n import illegal_in_words, in_words
from service.api.message import TEXT, Answer, Request
from service.api.negotiation import language
from service.api.operation import SPOKEN, operation
from service.api.services import Services
from service.games import report, speech
from service.games.base import Game
from service.games.comparison import compare
from service.rules.game import Adjudication
from service.telemetry.metrics import count_verdict

blueprint = Blueprint("verdicts", __name__)
"""Registered once for each game, under ``/v1/<its name>``, with ``game`` as a parameter."""


@operation(blueprint, "POST", "/adjudications", offers=SPOKEN, quick=True)
def adjudicate(request: Request, services: Services) -> Answer:
    """Says what the roll of a position allows."""
    game = game_of(request, services)
    document = validate(game.position_schema, json_document(request, services.settings))
    return _adjudicated(request, game, note_ruleset(request, game, document))


@operation(blueprint, "GET", "/adjudications", offers=SPOKEN, quick=True)
def adjudicate_query(request: Request, services: Services) -> Answer:
    """Says the same of a position that the query string stands for."""
    game = game_of(request, services)
    document = note_ruleset(request, game, query_document(request, game.position_schema))
    return _adjudicated(request, game, document, CACHEABLE)


def _adjudicated(request: Request, game: Game, document: Any, cache: str = NO_STORE) -> Answer:
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        status, lines = speech.adjudication(game, document, spoken)
        count_verdict(game.name, status)
        return text_answer(lines, spoken, cache=cache)
    return Answer(_judged(game, document).body, cache=cache)


@operation(blueprint, "POST", "/transitions", offers=SPOKEN, quick=True)
def apply_event(request: Request, services: Services) -> Answer:
    """Says where one event leads, or why it is illegal."""
    game = game_of(request, services)
    document = validate(game.transition_schema, json_document(request, services.settings))
    answer = game.step(note_ruleset(request, game, document))
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        findings = in_words(game, answer["findings"], spoken)
        return text_answer(speech.transition(game, document, answer, findings, spoken), spoken)
    return with_findings(request, answer)


@operation(blueprint, "POST", "/games", rate="batch", offers=SPOKEN, heavy=True)
def audit(request: Request, services: Services) -> Answer:
    """Says how the game of a log stands."""
    game = game_of(request, services)
    document = log_document(request, services, game)
    answer = game.audit(note_ruleset(request, game, document))
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        findings = illegal_in_words(game, answer, spoken)
        return text_answer(speech.audit(game, document, answer, findings, spoken), spoken)
    return with_findings(request, answer)


@operation(
    blueprint,
    "POST",
    "/adjudications/batch",
    rate="batch",
    offers=OFFERS,
    large_body=True,
    heavy=True,
)
def adjudicate_batch(request: Request, services: Services) -> Answer:
    """Says what many rolls allow: JSON in and out, a line each or a paragraph each."""
    game = game_of(request, services)

    def judge(positions: Sequence[Any]) -> bytes:
        statuses, answers = game.adjudicate_all(positions)
        for status, number in Counter(statuses).items():
            count_verdict(game.name, status, number)
        return answers

    def tell(position: Any, spoken: str) -> list[str]:
        status, lines = speech.adjudication(game, position, spoken)
        count_verdict(game.name, status)
        return lines

    return batch_answer(request, services, Batch(game, game.position_schema, judge, tell))


@operation(blueprint, "POST", "/comparisons", rate="batch", offers=SPOKEN, heavy=True)
def compare_rulesets(request: Request, services: Services) -> Answer:
    """Says which rulesets agree on a roll or an event, and what makes the others differ."""
    game = game_of(request, services)
    document = json_document(request, services.settings)
    happens = isinstance(document, dict) and "event" in document
    shape = game.compared_event_schema if happens else game.compared_roll_schema
    question = note_ruleset(request, game, validate(shape, document))
    answer = compare(game, question)
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        told = {**answer, "groups": [_worded(game, one, spoken) for one in answer["groups"]]}
        return text_answer(report.comparison(game, question, told, spoken), spoken)
    return with_findings(request, answer)


def _worded(game: Game, group: dict[str, Any], spoken: str) -> dict[str, Any]:
    """A group of a comparison with all its findings in words."""
    step = group["transition"]
    if step is not None:
        step = {**step, "findings": in_words(game, step["findings"], spoken)}
    return {**group, "transition": step, "findings": in_words(game, group["findings"], spoken)}


def _judged(game: Game, document: Any) -> Adjudication:
    adjudication = game.adjudicate(document)
    count_verdict(game.name, adjudication.status)
    return adjudication
