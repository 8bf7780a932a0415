"""Batches: many positions in a request, answered as a document, as lines or as paragraphs."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import orjson

from dice_referee.api.answers import TEXT_UTF8
from dice_referee.api.documents import body_of, check_number, validate
from dice_referee.api.i18n import rulebook, text_language
from dice_referee.api.message import JSON, NDJSON, TEXT, Answer, Request
from dice_referee.api.negotiation import language, media_type, preferred_type
from dice_referee.api.operation import operation
from dice_referee.api.parsing import parse
from dice_referee.api.problems import ProblemError, problem_of
from dice_referee.api.rate_limits import check
from dice_referee.games.game import AnyGame
from dice_referee.limits.bill import Bill
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.errors import Unanswerable
from dice_referee.rulebook.pauses import pause
from dice_referee.sentences import report, speech
from dice_referee.sentences.problems import problem_lines
from dice_referee.validation.schema import RequestSchema

OFFERS = (JSON, NDJSON, TEXT)
"""Media types of batches. The default is the media type of the request."""

batch_operation = partial(
    operation, rate=RatePolicy.BATCH, offers=OFFERS, large_body=True, heavy=True
)

POSITIONS_AT_A_TIME = 100
"""Number of positions judged and sent together, some 120 kB."""

WHOLE_BYTES = 2 << 20
"""Maximum bytes of a batch sent whole. A larger batch is sent in slices."""

BEGINNING, END = b'{"answers":[', b"]}"


@dataclass(frozen=True, slots=True)
class Batch:
    bill: Bill
    game: AnyGame
    shape: RequestSchema
    judge: Callable[[Sequence[Any]], bytes]
    """Returns the answers to valid positions, separated by commas.

    Raises ProblemError or Unanswerable if a position has no answer.
    """
    tell: Callable[[Any, str], list[str]]
    """Returns the answer to a position as sentences in this language, with the same errors."""
    lang: str = "en"

    def problem(self, error: Exception) -> dict[str, Any]:
        return problem_of(error, self.game.name).document(self.lang)


def batch_answer(request: Request, batch: Batch) -> Answer:
    """Answers the positions of the body. A bad position gets a problem, others their answer.

    Positions beyond the client's limit of work get a problem too.
    """
    game, settings = batch.game, request.services.settings
    kind = media_type(request, JSON, NDJSON)
    wanted = preferred_type(request, kind, TEXT)
    offered = game.languages if wanted == TEXT else rulebook(game.name).languages
    batch = replace(batch, lang=language(request, offered))
    raw = body_of(request, settings.batch_body_limit, settings.batch_limit)
    if kind == NDJSON:
        lines = [line for line in raw.split(b"\n") if line.strip()]
        check_number({"positions": lines}, "positions", "batch-too-long", settings.batch_limit)
    else:
        document = parse(raw, settings.nesting_limit)
        check_number(document, "positions", "batch-too-long", settings.batch_limit)
        positions = validate(game.schemas.batch, document)["positions"]
        if wanted == JSON:
            return _document(batch, positions)
        lines = [orjson.dumps(position) for position in positions]
    sent_as, answers = (TEXT_UTF8, _paragraphs) if wanted == TEXT else (NDJSON, _answer_lines)
    body = _pieces(answers(batch, lines, settings.nesting_limit))
    return Answer(body, media_type=sent_as, language=text_language(batch.lang))


def _document(batch: Batch, positions: list[Any]) -> Answer:
    parts, size, answered, lang = [BEGINNING], 0, 0, None
    while answered < len(positions) and size <= WHOLE_BYTES:
        chunk = positions[answered : answered + POSITIONS_AT_A_TIME]
        answers = _judge_all(batch, chunk)
        if answers is None:
            # Only problems contain text.
            answers, lang = _one_by_one(batch, chunk), batch.lang
        parts += (b"," if answered else b"", answers)
        answered, size = answered + len(chunk), size + len(answers)
    if answered == len(positions):
        return Answer(b"".join([*parts, END]), language=lang)
    starts = range(answered, len(positions), POSITIONS_AT_A_TIME)
    # As text they take a tenth of the memory.
    slices = [orjson.dumps(positions[start : start + POSITIONS_AT_A_TIME]) for start in starts]
    # The later answers may contain text.
    return Answer(_answer_slices(batch, b"".join(parts), slices), language=batch.lang)


def _judge_all(batch: Batch, positions: list[Any]) -> bytes | None:
    pause()
    with suppress(ProblemError, Unanswerable):
        if not any(map(batch.shape.field_errors, positions)):
            check(batch.bill.charge())
            return batch.judge(positions)
    return None


def _one_by_one(batch: Batch, positions: list[Any]) -> bytes:
    return b",".join([_answer(batch, position) for position in positions])


def _answer(batch: Batch, position: Any) -> bytes:
    pause()
    try:
        check(batch.bill.charge())
        return batch.judge([validate(batch.shape, position)])
    except (ProblemError, Unanswerable) as error:
        return orjson.dumps(batch.problem(error))


def _answer_slices(batch: Batch, begun: bytes, slices: list[bytes]) -> Generator[bytes, None, None]:
    # Sent first, so that they count as unread if the client does not read, and then released.
    yield begun
    del begun
    for chunk in slices:
        positions = orjson.loads(chunk)
        yield b"," + (_judge_all(batch, positions) or _one_by_one(batch, positions))
    yield END


def _answer_lines(batch: Batch, lines: list[bytes], nesting: int) -> Iterator[bytes]:
    for line in lines:
        try:
            yield _answer(batch, parse(line, nesting)) + b"\n"
        except ProblemError as error:
            yield orjson.dumps(error.document(batch.lang)) + b"\n"


def _paragraphs(batch: Batch, lines: list[bytes], nesting: int) -> Iterator[bytes]:
    lang = batch.lang
    for number, line in enumerate(lines, 1):
        pause()
        try:
            check(batch.bill.charge())
            sentences = batch.tell(validate(batch.shape, parse(line, nesting)), lang)
        except (ProblemError, Unanswerable) as error:
            sentences = problem_lines(batch.problem(error), lang)
        yield speech.text(report.numbered(batch.game, number, sentences, lang))


def _pieces(answers: Iterator[bytes]) -> Generator[bytes, None, None]:
    while chunk := b"".join(islice(answers, POSITIONS_AT_A_TIME)):
        yield chunk
