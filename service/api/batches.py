"""Batches: many positions in one request, as one document or a line each."""

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from service.api.documents import body_of, check_contents, check_number, parsed, validate
from service.api.i18n import rulebook
from service.api.message import JSON, NDJSON, NO_BODY, Answer, Request
from service.api.negotiation import language, media_type, preferred
from service.api.problems import ProblemError, problem_of
from service.api.services import Services
from service.games.base import Game
from service.rules.errors import Unanswerable
from service.validation.schema import RequestSchema

POSITIONS_AT_A_TIME = 100
"""Positions of a batch that are judged and sent together: some 120 kB, 760 kB at most."""

WHOLE_BYTES = 2 << 20
"""Bytes of a batch's answers up to which they are sent whole; beyond it, a slice at a time."""

BEGINNING, END = b'{"answers":[', b"]}"
"""What stands around the answers of a batch."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is asked of each position."""

    game: Game
    shape: RequestSchema
    judge: Callable[[Sequence[Any]], bytes]
    """The answers to positions of this shape, with commas between them.

    Raises ProblemError and Unanswerable if it has none for one of them.
    """


def batch_answer(request: Request, services: Services, batch: Batch) -> Answer:
    """The answers to the positions in the body; a bad one fails alone, with a problem."""
    game, settings = batch.game, services.settings
    kind = media_type(request, JSON, NDJSON)
    preferred(request, kind)
    raw = body_of(request, settings.batch_body_limit)
    check_contents(raw, settings.batch_limit)
    # While answers are made and sent, the positions are kept once and nothing else.
    request.body = NO_BODY
    spoken = language(request, rulebook(game.name).languages)
    if kind == NDJSON:
        lines = [line for line in raw.split(b"\n") if line.strip()]
        check_number(lines, settings.batch_limit, "batch-too-long")
        pieces = _answer_lines(request, batch, lines, spoken, settings.nesting_limit)
        return Answer(pieces, media_type=kind, language=spoken)
    document = parsed(raw, settings.nesting_limit)
    if isinstance(document, dict):
        check_number(document.get("positions"), settings.batch_limit, "batch-too-long")
    positions = validate(game.batch, document)["positions"]
    body = _answer_positions(request, batch, positions, spoken)
    # Problems alone hold text, and every problem says which it is.
    is_text = not isinstance(body, bytes) or b'{"type":"/problems/' in body
    return Answer(body, language=spoken if is_text else None)


def _answers(request: Request, batch: Batch, positions: list[Any], spoken: str) -> bytes:
    """The answers to some positions, with commas between them."""
    if all(map(batch.shape.is_right, positions)):
        with suppress(ProblemError, Unanswerable):
            return batch.judge(positions)
    return b",".join([_answer(request, batch, one, spoken) for one in positions])


def _answer(request: Request, batch: Batch, position: Any, spoken: str) -> bytes:
    try:
        return batch.judge([validate(batch.shape, position)])
    except (ProblemError, Unanswerable) as error:
        return orjson.dumps(problem_of(error, request).document(spoken))


def _answer_positions(
    request: Request, batch: Batch, positions: list[Any], spoken: str
) -> bytes | Generator[bytes, None, None]:
    """The document of the answers: whole, or in pieces if it is large."""
    answered, size, begun = 0, 0, list[bytes]()
    while answered < len(positions) and size <= WHOLE_BYTES:
        some = positions[answered : answered + POSITIONS_AT_A_TIME]
        begun += (b"," if begun else BEGINNING, _answers(request, batch, some, spoken))
        answered, size = answered + len(some), size + len(begun[-1])
    if answered == len(positions):
        return b"".join((*(begun or (BEGINNING,)), END))
    starts = range(answered, len(positions), POSITIONS_AT_A_TIME)
    # As text they take a tenth of the memory.
    slices = [orjson.dumps(positions[start : start + POSITIONS_AT_A_TIME]) for start in starts]
    return _answer_slices(request, batch, begun, slices, spoken)


def _answer_slices(
    request: Request, batch: Batch, begun: list[bytes], slices: list[bytes], spoken: str
) -> Generator[bytes, None, None]:
    """The answers that are made already, each behind its comma, then a slice at a time."""
    # At once, so that they count as unread while the client does not read.
    yield _joined(begun)
    for some in slices:
        yield b"," + _answers(request, batch, orjson.loads(some), spoken)
    yield END


def _joined(pieces: list[bytes]) -> bytes:
    """The pieces as one; the list is empty then, so that they are not kept twice."""
    whole = b"".join(pieces)
    pieces.clear()
    return whole


def _answer_lines(
    request: Request, batch: Batch, lines: list[bytes], spoken: str, nesting: int
) -> Generator[bytes, None, None]:
    """The answers, a line each."""

    def answer(line: bytes) -> bytes:
        try:
            position = parsed(line, nesting)
        except ProblemError as error:
            return orjson.dumps(error.document(spoken))
        return _answer(request, batch, position, spoken)

    for start in range(0, len(lines), POSITIONS_AT_A_TIME):
        some = lines[start : start + POSITIONS_AT_A_TIME]
        yield b"".join([answer(line) + b"\n" for line in some])
