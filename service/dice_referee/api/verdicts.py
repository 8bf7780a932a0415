"""The verbs of every game: adjudications, transitions, games, comparisons, odds and reviews."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import orjson
from flask import Blueprint

from dice_referee.api.answers import text_answer, with_findings
from dice_referee.api.batches import Batch, batch_answer, batch_operation
from dice_referee.api.documents import ShapeOf, game_document, game_of
from dice_referee.api.headers import CACHEABLE
from dice_referee.api.logs import log_document
from dice_referee.api.message import Answer, Request, Rest
from dice_referee.api.negotiation import sentence_language
from dice_referee.api.operation import SPOKEN, operation
from dice_referee.api.problems import ProblemError, refuse_dear
from dice_referee.api.rate_limits import check
from dice_referee.games import verbs
from dice_referee.games.comparison import compare
from dice_referee.games.game import AnyGame
from dice_referee.games.review import questions, review
from dice_referee.games.schemas import RequestSchemas
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.game import AnyQuestion, Document, Json
from dice_referee.rulebook.pauses import pause
from dice_referee.sentences import report, speech
from dice_referee.telemetry.metrics import count_verdict
from dice_referee.validation.schema import RequestSchema

TABLES_OF_A_BATCH = 10
"""Maximum value tables built for the positions of a batch. Each takes up to 0.3 s of a core."""

TABLES_OF_A_REVIEW = 64
"""Maximum value tables built for a review. A game of two takes 25 to 45."""

SPAN_OF_A_TABLE = 20_000
"""Maximum points that the value tables of a question cover, some 2 s of CPU.

A turn of Tutto that is further behind can win only by a clover.
"""

Verb = Callable[[AnyGame, Any, str | None], Any]
"""Answers a document or a question of a game: in sentences of the language, or as JSON without."""

Reader = Callable[[Request, AnyGame], Any]

blueprint = Blueprint("verdicts", __name__)


def _shaped(shape_of: ShapeOf) -> Reader:
    return partial(game_document, shape_of=shape_of)


def _view(read: Reader, verb: Verb, request: Request) -> Answer:
    game = game_of(request)
    document = read(request, game)
    request.note(game, document)
    return _answer(request, game, document, verb)


def _answer(request: Request, game: AnyGame, document: Any, verb: Verb) -> Answer:
    lang = sentence_language(request, game.languages)
    content = verb(game, document, lang)
    if lang:
        answer = text_answer(content, lang)
    elif isinstance(content, bytes):
        answer = Answer(content)
    else:
        answer = with_findings(request, game, content)
    if request.method != "POST":
        answer.cache = CACHEABLE
    return answer


def _operation(methods: str, path: str, read: Reader, **facts: Any) -> Callable[[Verb], Verb]:
    def register(verb: Verb) -> Verb:
        view = partial(_view, read, verb)
        operation(blueprint, methods, path, verb.__name__, offers=SPOKEN, **facts)(view)
        return verb

    return register


@_operation("GET POST", "/adjudications", _shaped(lambda shapes, _: shapes.position), quick=True)
def adjudicate(game: AnyGame, document: Document, lang: str | None) -> list[str] | bytes:
    answer: list[str] | bytes
    if lang:
        status, answer = speech.adjudication(game, document, lang)
    else:
        (status,), answer = game.adjudicate_all([document])
    count_verdict(game.name, status)
    return answer


@_operation("POST", "/transitions", _shaped(lambda shapes, _: shapes.transition), quick=True)
def apply_event(game: AnyGame, document: Document, lang: str | None) -> list[str] | Json:
    """Returns the effects of an event, or every finding against it."""
    answer = verbs.step(game, document)
    return speech.transition(game, document, answer, lang) if lang else answer


LONG: dict[str, Any] = {"rate": RatePolicy.BATCH, "heavy": True}


@_operation("GET POST", "/audits", log_document, **LONG)
def audit(game: AnyGame, document: Document, lang: str | None) -> list[str] | Json:
    """Returns the state of the game of a log, up to its first illegal event."""
    answer = verbs.audit(game, document)
    return speech.audit(game, document, answer, lang) if lang else answer


def _comparison_shape(shapes: RequestSchemas, document: Any) -> RequestSchema:
    happens = isinstance(document, dict) and "event" in document
    return shapes.compared_event if happens else shapes.compared_roll


@_operation("POST", "/comparisons", _shaped(_comparison_shape), **LONG)
def compare_rulesets(game: AnyGame, document: Document, lang: str | None) -> list[str] | Json:
    answer = compare(game, document)
    return report.comparison(game, document, answer, lang) if lang else answer


@operation(blueprint, "POST", "/reviews", offers=SPOKEN, **LONG)
def review_game(request: Request) -> Answer:
    def verb(game: AnyGame, document: Document, lang: str | None) -> list[str] | Json:
        prepare(request, game, *questions(game, document))
        answer = review(game, document)
        return report.review(game, document, answer, lang) if lang else answer

    return _view(log_document, verb, request)


@operation(
    blueprint, "GET POST", "/odds", rate=RatePolicy.ODDS, offers=SPOKEN, quick=True, heavy=True
)
def weigh(request: Request) -> Answer | Rest:
    game = game_of(request)
    document = game_document(request, game, lambda shapes, _: shapes.question)
    request.note(game, document)
    question, bot = game.question_of(document), game.bot_of(document)
    rest = partial(_answer, request, game, question, partial(_odds, request, bot))
    is_prepared = all(map(game.is_prepared, game.questions(question, bot)))
    return rest() if is_prepared else rest


def _odds(
    request: Request, bot: Level | None, game: AnyGame, question: AnyQuestion, lang: str | None
) -> list[str] | Json:
    pause()
    prepare(request, game, *game.questions(question, bot))
    answer = game.odds(question, bot)
    return speech.odds(game, question, answer, lang) if lang else answer


@batch_operation(blueprint, "POST", "/adjudications/batch")
def adjudicate_batch(request: Request) -> Answer:
    game = game_of(request)

    def judge(positions: Sequence[Any]) -> bytes:
        statuses, answers = game.adjudicate_all(positions)
        for status, number in Counter(statuses).items():
            count_verdict(game.name, status, number)
        return answers

    batch = Batch(request.bill, game, game.schemas.position, judge, partial(adjudicate, game))
    return batch_answer(request, batch)


@batch_operation(blueprint, "POST", "/odds/batch")
def weigh_batch(request: Request) -> Answer:
    game, tables_made = game_of(request), 0

    def answer(position: Any, lang: str | None = None) -> Any:
        nonlocal tables_made
        question, bot = game.question_of(position), game.bot_of(position)
        missing = {
            each.table_key
            for each in game.questions(question, bot)
            if not (game.is_prepared(each) or game.is_published(each))
        }
        tables_made += len(missing)
        if missing and tables_made > TABLES_OF_A_BATCH:
            raise ProblemError("too-large", "too-many-tables", {"limit": TABLES_OF_A_BATCH})
        return _odds(request, bot, game, question, lang)

    def judge(positions: Sequence[Any]) -> bytes:
        return b",".join(orjson.dumps(answer(position)) for position in positions)

    batch = Batch(request.bill, game, game.schemas.question, judge, answer)
    return batch_answer(request, batch)


def prepare(request: Request, game: AnyGame, *questions: AnyQuestion) -> None:
    """Builds the value tables of these questions. Tables of published rulesets cost nothing.

    Raises a problem 413 before any is built, and 429 if the limit is exhausted.
    """
    missing = {
        question.table_key: question for question in questions if not game.is_prepared(question)
    }
    if not missing:
        return
    if sum(not game.is_published(question) for question in missing.values()) > TABLES_OF_A_REVIEW:
        raise ProblemError("too-large", "too-many-pairs", {"limit": TABLES_OF_A_REVIEW})
    refuse_dear(game, missing.values(), SPAN_OF_A_TABLE)
    for question in missing.values():
        check(request.bill.charge())
        game.prepare(question)
        if game.is_published(question):
            request.bill.start()
