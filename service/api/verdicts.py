"""The three verbs of every game: adjudications (and their batch), transitions, games."""

from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from typing import Any

import orjson
from flask import Blueprint

from service.api.answers import with_findings
from service.api.documents import (
    body_of,
    check_contents,
    json_document,
    note_ruleset,
    parsed,
    query_document,
    validate,
)
from service.api.headers import CACHEABLE
from service.api.i18n import rulebook
from service.api.message import JSON, NDJSON, NO_BODY, Answer, Request
from service.api.negotiation import language, media_type, preferred
from service.api.operation import operation
from service.api.problems import ProblemError, problem_of
from service.api.services import Services
from service.games.base import Game
from service.rules.errors import Unanswerable
from service.rules.game import Adjudication
from service.telemetry.metrics import count_verdict

POSITIONS_AT_A_TIME = 100
"""Positions of a batch that are judged and sent together: some 120 kB, 760 kB at most."""

WHOLE_BYTES = 2 << 20
"""Bytes of a batch's answers up to which they are sent whole; beyond it, a slice at a time."""

BEGINNING, END = b'{"answers":[', b"]}"
"""What stands around the answers of a batch."""

blueprint = Blueprint("verdicts", __name__)
"""Registered once for each game, under ``/v1/<its name>``, with ``game`` as a parameter."""


@operation(blueprint, "POST", "/adjudications", quick=True)
def adjudicate(request: Request, services: Services) -> Answer:
    """Says what the roll of a position allows."""
    game = _game(request, services)
    document = validate(game.position, json_document(request, services.settings))
    return Answer(_judged(game, note_ruleset(request, game, document)).body)


@operation(blueprint, "GET", "/adjudications", quick=True)
def adjudicate_query(request: Request, services: Services) -> Answer:
    """Says the same of a position that the query string stands for."""
    game = _game(request, services)
    document = note_ruleset(request, game, query_document(request, game))
    return Answer(_judged(game, document).body, cache=CACHEABLE)


@operation(blueprint, "POST", "/transitions", quick=True)
def apply_event(request: Request, services: Services) -> Answer:
    """Says where one event leads, or why it is illegal."""
    game = _game(request, services)
    document = validate(game.transition, json_document(request, services.settings))
    return with_findings(request, game.step(note_ruleset(request, game, document)))


@operation(blueprint, "POST", "/games", rate="batch", heavy=True)
def audit(request: Request, services: Services) -> Answer:
    """Says how the game of a log stands."""
    game, limit = _game(request, services), services.settings.log_limit
    document = json_document(request, services.settings, limit)
    if isinstance(document, dict):
        check_number(document.get("log"), limit, "log-too-long")
    document = note_ruleset(request, game, validate(game.log, document))
    return with_findings(request, game.audit(document))


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
    game, settings = _game(request, services), services.settings
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
    body = _answer_positions(request, game, positions, spoken)
    # Problems alone hold text, and every problem says which it is.
    is_text = not isinstance(body, bytes) or b'{"type":"/problems/' in body
    return Answer(body, language=spoken if is_text else None)


def check_number(items: object, limit: int, key: str) -> None:
    """Refuses a list of more than so many items, with the detail of this key."""
    if isinstance(items, list) and len(items) > limit:
        raise ProblemError("too-large", key, {"limit": limit})


def _game(request: Request, services: Services) -> Game:
    """The game of the path; a request is about it even if its body is malformed."""
    request.game = request.parameters["game"]
    return services.games[request.game]


def _judged(game: Game, document: Any) -> Adjudication:
    adjudication = game.adjudicate(document)
    count_verdict(game.name, adjudication.status)
    return adjudication


def _answers(request: Request, game: Game, positions: list[Any], spoken: str) -> bytes:
    """The answers to some positions of a batch, with commas between them."""
    if all(map(game.position.is_right, positions)):
        with suppress(Unanswerable):
            statuses, answers = game.adjudicate_all(positions)
            for status, number in Counter(statuses).items():
                count_verdict(game.name, status, number)
            return answers
    return b",".join([_answer(request, game, one, spoken) for one in positions])


def _answer(request: Request, game: Game, position: Any, spoken: str) -> bytes:
    """The answer to one position of a batch; a bad one fails alone, with a problem."""
    try:
        return _judged(game, validate(game.position, position)).body
    except (ProblemError, Unanswerable) as error:
        return orjson.dumps(problem_of(error, request).document(spoken))


def _answer_positions(
    request: Request, game: Game, positions: list[Any], spoken: str
) -> bytes | Generator[bytes, None, None]:
    """The document of the answers: whole, or in pieces if it is large."""
    answered, size, begun = 0, 0, list[bytes]()
    while answered < len(positions) and size <= WHOLE_BYTES:
        some = positions[answered : answered + POSITIONS_AT_A_TIME]
        begun += (b"," if begun else BEGINNING, _answers(request, game, some, spoken))
        answered, size = answered + len(some), size + len(begun[-1])
    if answered == len(positions):
        return b"".join((*(begun or (BEGINNING,)), END))
    starts = range(answered, len(positions), POSITIONS_AT_A_TIME)
    # As text they take a tenth of the memory.
    slices = [orjson.dumps(positions[start : start + POSITIONS_AT_A_TIME]) for start in starts]
    return _answer_slices(request, game, begun, slices, spoken)


def _answer_slices(
    request: Request, game: Game, begun: list[bytes], slices: list[bytes], spoken: str
) -> Generator[bytes, None, None]:
    """The answers that are made already, each behind its comma, then a slice at a time."""
    # At once, so that they count as unread while the client does not read.
    yield _joined(begun)
    for some in slices:
        yield b"," + _answers(request, game, orjson.loads(some), spoken)
    yield END


def _joined(pieces: list[bytes]) -> bytes:
    """The pieces as one; the list is empty then, so that they are not kept twice."""
    whole = b"".join(pieces)
    pieces.clear()
    return whole


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
