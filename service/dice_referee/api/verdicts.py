"""The verbs of every game: adjudications, transitions, games, comparisons, odds and reviews."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api.answers import text_answer, with_findings
from dice_referee.api.batches import Batch, batch_answer, batch_operation
from dice_referee.api.documents import ShapeOf, game_document, game_of
from dice_referee.api.headers import CACHEABLE, NO_STORE
from dice_referee.api.logs import log_document
from dice_referee.api.message import NO_BODY, Answer, Place, Request
from dice_referee.api.negotiation import spoken_language
from dice_referee.api.operation import SPOKEN, NotHere, operation
from dice_referee.api.problems import ProblemError
from dice_referee.api.rate_limits import check
from dice_referee.api.services import Services
from dice_referee.games import verbs
from dice_referee.games.comparison import compare
from dice_referee.games.game import AnyGame
from dice_referee.games.review import questions, review
from dice_referee.games.schemas import RequestSchemas
from dice_referee.limits.policies import RatePolicy
from dice_referee.sentences import report, speech
from dice_referee.telemetry.metrics import count_verdict
from dice_referee.validation.schema import RequestSchema

TABLES_OF_A_BATCH = 10
"""Tables that are made for the positions of one batch: each takes up to 0.3 s of a core."""

TABLES_OF_A_REVIEW = 64
"""Tables that are made for one review: a game of two takes 25 to 45."""

Verb = Callable[[AnyGame, Any], Any]
"""The answer of a game to a document."""
Tell = Callable[[AnyGame, Any, Any, str], list[str]]
"""The sentences, in a language, of what a game answers to a document."""

blueprint = Blueprint("verdicts", __name__)
"""Registered once for each game, under ``/v1/<its name>``, with ``game`` as a parameter."""


@operation(blueprint, "GET POST", "/adjudications", offers=SPOKEN, quick=True)
def adjudicate(request: Request, services: Services) -> Answer:
    """Says what the roll of a position allows."""
    game, document = game_document(request, services, lambda shapes, _: shapes.position)
    cache = NO_STORE if request.method == "POST" else CACHEABLE
    if lang := spoken_language(request, game.languages):
        status, lines = speech.adjudication(game, document, lang)
        answer = text_answer(lines, lang, cache=cache)
    else:
        (status,), body = game.adjudicate_all([document])
        answer = Answer(body, cache=cache)
    count_verdict(game.name, status)
    return answer


@batch_operation(blueprint, "POST", "/adjudications/batch")
def adjudicate_batch(request: Request, services: Services) -> Answer:
    """Adjudicates many positions: JSON or NDJSON in; JSON, NDJSON or a paragraph each out."""
    game = game_of(request, services)

    def judge(positions: Sequence[Any]) -> bytes:
        statuses, answers = game.adjudicate_all(positions)
        for status, number in Counter(statuses).items():
            count_verdict(game.name, status, number)
        return answers

    def tell(position: Any, lang: str) -> list[str]:
        status, lines = speech.adjudication(game, position, lang)
        count_verdict(game.name, status)
        return lines

    return batch_answer(
        request, services, Batch(request.bill, game, game.schemas.position, judge, tell)
    )


def _compared_shape(shapes: RequestSchemas, document: Any) -> RequestSchema:
    happens = isinstance(document, dict) and "event" in document
    return shapes.compared_event if happens else shapes.compared_roll


@operation(
    blueprint, "GET POST", "/odds", rate=RatePolicy.ODDS, offers=SPOKEN, quick=True, heavy=True
)
def weigh(request: Request, services: Services) -> Answer:
    """Says what a position is worth, and how risky each choice is."""
    game, document = game_document(request, services, lambda shapes, _: shapes.question)
    question = game.question_of(document)
    answer = weighed(request, services, game, question)
    cache = NO_STORE if request.method == "POST" else CACHEABLE
    if lang := spoken_language(request, game.languages):
        return text_answer(speech.odds(game, question, answer, lang), lang, cache=cache)
    return Answer(orjson.dumps(answer), cache=cache)


@batch_operation(blueprint, "POST", "/odds/batch")
def weigh_batch(request: Request, services: Services) -> Answer:
    """Says what many positions are worth: JSON in and out, a line each or a paragraph each."""
    game, tables_made = game_of(request, services), 0
    # The answers are made without the body, whose memory is free by then.
    bodiless = request._replace(body=NO_BODY)

    def answer_to(question: Any) -> dict[str, Any]:
        nonlocal tables_made
        if not (game.is_prepared(question) or game.is_published(question)):
            tables_made += 1
            if tables_made > TABLES_OF_A_BATCH:
                raise ProblemError("too-large", "too-many-tables", {"limit": TABLES_OF_A_BATCH})
        return weighed(bodiless, services, game, question)

    def judge(positions: Sequence[Any]) -> bytes:
        return b",".join(orjson.dumps(answer_to(game.question_of(one))) for one in positions)

    def tell(position: Any, lang: str) -> list[str]:
        question = game.question_of(position)
        return speech.odds(game, question, answer_to(question), lang)

    return batch_answer(
        request, services, Batch(request.bill, game, game.schemas.question, judge, tell)
    )


@operation(blueprint, "POST", "/games/review", rate=RatePolicy.BATCH, offers=SPOKEN, heavy=True)
def review_game(request: Request, services: Services) -> Answer:
    """Says what each decision of a game was worth, and what luck and play made of it."""
    game, document = log_document(request, services)
    prepare(request, services, game, *questions(game, document))
    return _answered(request, game, document, review(game, document), report.review)


@operation(blueprint, "GET POST", "/games", rate=RatePolicy.BATCH, offers=SPOKEN, heavy=True)
def audit(request: Request, services: Services) -> Answer:
    """Says how the game of a log stands, up to its first illegal event."""
    game, document = log_document(request, services)
    return _answered(request, game, document, verbs.audit(game, document), speech.audit)


def _answered(request: Request, game: AnyGame, document: Any, answer: Any, tell: Tell) -> Answer:
    """Returns the answer to this document, in sentences for a client that wants those."""
    if lang := spoken_language(request, game.languages):
        return text_answer(tell(game, document, answer, lang), lang)
    return with_findings(request, game, answer)


def _register(
    name: str, path: str, shape_of: ShapeOf, verb: Verb, tell: Tell, **facts: Any
) -> None:
    """Registers a verb as an operation."""

    def answer(request: Request, services: Services) -> Answer:
        game, document = game_document(request, services, shape_of)
        return _answered(request, game, document, verb(game, document), tell)

    operation(blueprint, "POST", path, name, offers=SPOKEN, **facts)(answer)


_LONG: dict[str, Any] = {"rate": RatePolicy.BATCH, "heavy": True}
_register(
    "apply_event",
    "/transitions",
    lambda shapes, _: shapes.transition,
    verbs.step,
    speech.transition,
    quick=True,
)
_register("compare_rulesets", "/comparisons", _compared_shape, compare, report.comparison, **_LONG)


def weighed(request: Request, services: Services, game: AnyGame, question: Any) -> dict[str, Any]:
    """Returns the odds of a position. Raises as ``prepare``."""
    prepare(request, services, game, question)
    return game.odds(question)


def prepare(request: Request, services: Services, game: AnyGame, *questions: Any) -> None:
    """Makes the value tables of these questions, free where a published ruleset has them.

    Raises a problem 413 before any is made, 429 where the limit is exhausted, and NotHere outside
    of the thread for them.
    """
    missing = {game.table_key(one): one for one in questions if not game.is_prepared(one)}
    if not missing:
        return
    if request.place is not Place.HEAVY:
        raise NotHere
    if sum(not game.is_published(one) for one in missing.values()) > TABLES_OF_A_REVIEW:
        raise ProblemError("too-large", "too-many-pairs", {"limit": TABLES_OF_A_REVIEW})
    for question in missing.values():
        check(request.bill.charge())
        game.prepare(question)
        if game.is_published(question):
            request.bill.start()
