"""The three verbs of every game: adjudications (and their batch), transitions, games."""

from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from typing import Any

import orjson
from flask import Blueprint

from service.api.answers import spoken_language, text_answer, with_findings
from service.api.documents import (
    body_of,
    check_contents,
    is_about,
    json_document,
    parsed,
    query_document,
    validate,
)
from service.api.headers import CACHEABLE, NO_STORE
from service.api.i18n import in_words, rulebook
from service.api.message import JSON, NDJSON, NO_BODY, TEXT, Answer, Request
from service.api.negotiation import language, media_type, preferred
from service.api.operation import SPOKEN, operation
from service.api.problems import ProblemError, problem_of
from service.api.services import Services
from service.games import speech
from service.games.base import Game
from service.rules.errors import Unanswerable
from service.rules.game import Adjudication
from service.telemetry.metrics import count_verdict

POSITIONS_AT_A_TIME = 100
"""Positions of a batch that are judged and sent together: some 120 kB, 760 kB at most."""

blueprint = Blueprint("verdicts", __name__)
"""Registered once for each game, under ``/v1/<its name>``, with ``game`` as a parameter."""


@operation(blueprint, "POST", "/adjudications", offers=SPOKEN, quick=True)
def adjudicate(request: Request, services: Services) -> Answer:
    """Says what the roll of a position allows."""
    game = game_of(request, services)
    document = validate(game.position, json_document(request, services.settings))
    return _adjudicated(request, game, is_about(request, game, document))


@operation(blueprint, "GET", "/adjudications", offers=SPOKEN, quick=True)
def adjudicate_query(request: Request, services: Services) -> Answer:
    """Says the same of a position that the query string stands for."""
    game = game_of(request, services)
    document = is_about(request, game, query_document(request, game.position))
    return _adjudicated(request, game, document, CACHEABLE)


def _adjudicated(request: Request, game: Game, document: Any, cache: str = NO_STORE) -> Answer:
    if request.accepted == TEXT:
        spoken = spoken_language(request, game)
        status, lines = speech.adjudication(game, document, spoken)
        count_verdict(game.name, status)
        return text_answer(lines, spoken, cache=cache)
    return Answer(_judged(game, document).body, cache=cache)


@operation(blueprint, "POST", "/transitions", offers=SPOKEN, quick=True)
def apply_event(request: Request, services: Services) -> Answer:
    """Says where one event leads, or why it is illegal."""
    game = game_of(request, services)
    document = validate(game.transition, json_document(request, services.settings))
    answer = game.step(is_about(request, game, document))
    if request.accepted == TEXT:
        spoken = spoken_language(request, game)
        findings = in_words(game, answer["findings"], spoken)
        return text_answer(speech.transition(game, document, answer, findings, spoken), spoken)
    return with_findings(request, answer)


@operation(blueprint, "POST", "/games", rate="batch", offers=SPOKEN, heavy=True)
def audit(request: Request, services: Services) -> Answer:
    """Says how the game of a log stands."""
    game = game_of(request, services)
    document = log_document(request, services, game)
    answer = game.audit(is_about(request, game, document))
    if request.accepted == TEXT:
        spoken, illegal = spoken_language(request, game), answer["first_illegal"]
        findings = in_words(game, illegal["findings"] if illegal else (), spoken)
        return text_answer(speech.audit(game, document, answer, findings, spoken), spoken)
    return with_findings(request, answer)


def log_document(request: Request, services: Services, game: Game) -> Any:
    """The log of a game in the body of this request."""
    limit = services.settings.log_limit
    document = json_document(request, services.settings, limit)
    if isinstance(document, dict):
        check_number(document.get("log"), limit, "log-too-long")
    return validate(game.log, document)


@operation(
    blueprint,
    "POST",
    "/adjudications/batch",
    rate="batch",
    offers=(),
    large_body=True,
    heavy=True,
)
def adjudicate_batch(request: Request, services: Services) -> Answer:
    """Says what many rolls allow: JSON in and out, or a line each."""
    game, settings = game_of(request, services), services.settings
    kind = media_type(request, JSON, NDJSON)
    preferred(request, kind)
    raw = body_of(request, settings.batch_body_limit)
    check_contents(raw, settings.batch_limit)
    # While answers are made and sent, the positions are kept once and nothing else.
    request.body = NO_BODY
    spoken = language(request, rulebook(game.name).languages)
    pieces: Generator[bytes, None, None]
    if kind == NDJSON:
        lines = [line for line in raw.split(b"\n") if line.strip()]
        check_number(lines, settings.batch_limit, "batch-too-long")
        pieces = _answer_lines(request, game, lines, spoken, settings.nesting_limit)
        return Answer(pieces, media_type=kind, language=spoken)
    document = parsed(raw, settings.nesting_limit)
    if isinstance(document, dict):
        check_number(document.get("positions"), settings.batch_limit, "batch-too-long")
    positions = validate(game.batch, document)["positions"]
    starts = range(0, len(positions), POSITIONS_AT_A_TIME)
    # As text they take a tenth of the memory.
    slices = [orjson.dumps(positions[start : start + POSITIONS_AT_A_TIME]) for start in starts]
    pieces = _answer_slices(request, game, slices, spoken)
    if len(slices) > 1:
        return Answer(pieces, language=spoken)
    body = b"".join(pieces)
    # Problems alone hold text, and every problem says which it is.
    return Answer(body, language=spoken if b'{"type":"/problems/' in body else None)


def check_number(items: object, limit: int, key: str) -> None:
    """Refuses a list of more than so many items, with the detail of this key."""
    if isinstance(items, list) and len(items) > limit:
        raise ProblemError("too-large", key, {"limit": limit})


def game_of(request: Request, services: Services) -> Game:
    """The game of the path; a request is about it even if its body is malformed."""
    request.game = request.parameters["game"]
    return services.games[request.game]


def _judged(game: Game, document: Any) -> Adjudication:
    adjudication = game.adjudicate(document)
    count_verdict(game.name, adjudication.status)
    return adjudication


def _answers(game: Game, positions: list[Any]) -> bytes | None:
    """The answers to some positions of a batch, if nothing is wrong with any of them."""
    if all(map(game.position.is_right, positions)):
        with suppress(Unanswerable):
            statuses, answers = game.adjudicate_all(positions)
            for status, number in Counter(statuses).items():
                count_verdict(game.name, status, number)
            return answers
    return None


def _answer(request: Request, game: Game, position: Any, spoken: str) -> bytes:
    """The answer to one position of a batch; a bad one fails alone, with a problem."""
    try:
        return _judged(game, validate(game.position, position)).body
    except (ProblemError, Unanswerable) as error:
        return orjson.dumps(problem_of(error, request).document(spoken))


def _answer_slices(
    request: Request, game: Game, slices: list[bytes], spoken: str
) -> Generator[bytes, None, None]:
    """The document of the answers, a slice at a time."""
    before = b'{"answers":['
    for some in slices:
        positions = orjson.loads(some)
        answers = _answers(game, positions)
        if answers is None:
            answers = b",".join([_answer(request, game, one, spoken) for one in positions])
        yield before + answers
        before = b","
    yield b"]}" if slices else before + b"]}"


def _answer_lines(
    request: Request, game: Game, lines: list[bytes], spoken: str, nesting: int
) -> Generator[bytes, None, None]:
    """The answers, a line each."""

    def answer(line: bytes) -> bytes:
        try:
            position = parsed(line, nesting)
        except ProblemError as error:
            return orjson.dumps(error.document(spoken))
        return _answer(request, game, position, spoken)

    for start in range(0, len(lines), POSITIONS_AT_A_TIME):
        some = lines[start : start + POSITIONS_AT_A_TIME]
        yield b"".join([answer(line) + b"\n" for line in some])
