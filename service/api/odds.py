"""Odds: what a position and each of its choices are worth, and what a whole game gave away (O…)."""

from collections.abc import Sequence
from typing import Any

import orjson
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
from service.api.i18n import illegal_in_words
from service.api.message import TEXT, Answer, Request
from service.api.negotiation import language
from service.api.operation import SPOKEN, NotHere, operation
from service.api.problems import ProblemError
from service.api.rate_limits import check_rate, key_of
from service.api.services import Services
from service.games import report, speech
from service.games.base import Game
from service.games.review import review
from service.limits.policies import RatePolicy
from service.rules.findings import Param

TABLES_OF_A_BATCH = 10
"""Tables that are made for the positions of one batch: each takes up to 0.3 s of a core."""

blueprint = Blueprint("odds", __name__)
"""Registered once for each game, under ``/v1/<its name>``, with ``game`` as a parameter."""


@operation(blueprint, "POST", "/odds", rate="odds", offers=SPOKEN, quick=True, heavy=True)
def weigh(request: Request, services: Services) -> Answer:
    """Says what a position is worth, and how risky each choice is."""
    game = game_of(request, services)
    document = validate(game.question_schema, json_document(request, services.settings))
    question = game.question_of(note_ruleset(request, game, document))
    return _odds_answer(request, services, game, question)


@operation(blueprint, "GET", "/odds", rate="odds", offers=SPOKEN, quick=True, heavy=True)
def weigh_query(request: Request, services: Services) -> Answer:
    """Says the same of a position that the query string stands for."""
    game = game_of(request, services)
    question = game.question_of(
        note_ruleset(request, game, query_document(request, game.question_schema))
    )
    return _odds_answer(request, services, game, question, CACHEABLE)


def _odds_answer(
    request: Request, services: Services, game: Game, question: Any, cache: str = NO_STORE
) -> Answer:
    answer = weighed(request, services, game, question)
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        return text_answer(_told(game, question, answer, spoken), spoken, cache=cache)
    return Answer(orjson.dumps(answer), cache=cache)


def _told(game: Game, question: Any, answer: dict[str, Any], spoken: str) -> list[str]:
    """The odds of a position in sentences."""
    turn = game.answers.turn_document(question.position)
    return speech.odds(game, turn, answer, spoken, listener=turn.get("player"))


@operation(
    blueprint, "POST", "/odds/batch", rate="batch", offers=OFFERS, large_body=True, heavy=True
)
def weigh_batch(request: Request, services: Services) -> Answer:
    """Says what many positions are worth: JSON in and out, a line each or a paragraph each."""
    game, made = game_of(request, services), 0

    def answer_to(question: Any) -> dict[str, Any]:
        nonlocal made
        if not game.odds.is_ready(question):
            made += 1
            if made > TABLES_OF_A_BATCH:
                params: dict[str, Param] = {"limit": TABLES_OF_A_BATCH}
                raise ProblemError("too-large", "too-many-tables", params)
        return weighed(request, services, game, question)

    def judge(positions: Sequence[Any]) -> bytes:
        return b",".join(orjson.dumps(answer_to(game.question_of(one))) for one in positions)

    def tell(position: Any, spoken: str) -> list[str]:
        question = game.question_of(position)
        return _told(game, question, answer_to(question), spoken)

    return batch_answer(request, services, Batch(game, game.question_schema, judge, tell))


@operation(blueprint, "POST", "/games/review", rate="batch", offers=SPOKEN, heavy=True)
def review_game(request: Request, services: Services) -> Answer:
    """Says what each decision of a game was worth, and what luck and play made of it."""
    game = game_of(request, services)
    document = note_ruleset(request, game, log_document(request, services, game))
    charge_tables(request, services, game, game.first_question(document))
    answer = review(game, document)
    if request.accepted == TEXT:
        spoken = language(request, game.languages)
        findings = illegal_in_words(game, answer, spoken)
        return text_answer(report.review(game, document, answer, findings, spoken), spoken)
    return with_findings(request, answer)


def weighed(request: Request, services: Services, game: Game, question: Any) -> dict[str, Any]:
    """The odds of a position; tables that have to be made for it count as requests of their own.

    Raises NotHere in the event loop.
    """
    charge_tables(request, services, game, question)
    return game.weigh(question)


def charge_tables(request: Request, services: Services, game: Game, question: Any) -> None:
    """Counts the tables that this question needs, if they are not there; 429 if it may not be."""
    if game.odds.is_ready(question):
        return
    if request.in_loop:
        raise NotHere
    key = key_of(RatePolicy.TABLES, request, services)
    if key is not None:
        status = services.limiter.acquire(key)
        if not status.allowed:
            request.rate_limit = status
            check_rate(request)
