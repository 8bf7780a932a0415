"""Pipeline that every request passes, with every server."""

from collections.abc import Callable, Generator
from contextlib import closing
from enum import Enum
from functools import lru_cache, partial
from time import perf_counter

from dice_referee.api.answers import problem_answer
from dice_referee.api.headers import (
    CACHEABLE,
    COMMON,
    SharedHeaders,
    entity_tag,
    is_match,
    request_id,
    session_headers,
)
from dice_referee.api.hosts import is_known
from dice_referee.api.message import NO_BODY, Answer, Request, Rest
from dice_referee.api.negotiation import preferred_type
from dice_referee.api.operation import NotMade
from dice_referee.api.problems import ProblemError, problem_of, query_too_long
from dice_referee.api.rate_limits import RateLimited, admit, check
from dice_referee.games import catalogue
from dice_referee.limits.bill import Bill
from dice_referee.telemetry.logs import AccessRecord, log_request
from dice_referee.telemetry.metrics import count_rate_limited, count_request

Pieces = Generator[bytes, None, None]

QUICK_COMMAS = 1000
"""Number of commas of a body that is validated within 5 ms. Only logs have more."""
LARGE_BODY = 1 << 16
"""Size in bytes from which a body leaves the event loop and reserves memory."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods with a label of their own in metrics. All others share a label."""


def begin(request: Request) -> None:
    bill = request.bill = admit(request)
    request.id, request.limit = request_id(request.header(b"x-request-id")), bill.limit
    # Known before the body, so that the problem of a malformed body and its log name the game.
    game: str = request.parameters.get("game", "")
    request.game = game if game in catalogue() else ""
    if bill.limit is not None and not bill.limit.allowed:
        request.problem = RateLimited(bill.limit)


def refuse(request: Request, problem: Exception, waited: float = 0.0) -> None:
    request.problem, request.waited = request.problem or problem, waited


class Place(Enum):
    LOOP = "loop"
    """Event loop, which must not wait or compute for long."""
    THREAD = "thread"
    """Thread of ordinary operations, which may wait but not compute for long."""
    HEAVY = "heavy"


def place_of(request: Request) -> Place:
    """Chooses the place of a request, or of its rest, before it is handled there."""
    operation, (content, size) = request.operation, request.body
    if request.problem is not None:
        return Place.LOOP
    if request.rest is not None:
        return Place.THREAD if operation.quick and not operation.heavy else Place.HEAVY
    if (operation.heavy and not operation.quick) or content.count(b",") > QUICK_COMMAS:
        return Place.HEAVY
    return Place.LOOP if operation.quick and size <= LARGE_BODY else Place.THREAD


def answer(request: Request) -> Answer:
    answered = None
    while answered is None:
        try:
            answered = handle(request)
        except NotMade as lack:
            lack.make()
    return answered


def handle(request: Request, *, in_turn: bool = False) -> Answer | None:
    """Answers a request: host, negotiation, the operation, headers, metrics, log.

    Returns None if the rest of the operation takes long: the next call runs the rest. A request
    ``in_turn`` has waited while others may have exhausted its limit. Raises NotMade if the answer
    lacks a value.
    """
    request.bill.start()
    tracing = request.services.tracing
    if tracing is not None and request.span is None:
        request.span = tracing.begin(request.header(b"traceparent"))
    try:
        if request.problem is not None:
            raise request.problem
        if in_turn:
            check(request.bill.look())
        made = _run_operation(request) if request.rest is None else request.rest()
        if not isinstance(made, Answer):
            request.rest = made
            request.bill.charge()
            return None
    except NotMade:
        request.bill.charge()
        raise
    except Exception as error:
        made = _answer_error(request, error)
    request.body, request.rest = NO_BODY, None
    _add_headers(request, made)
    return made if made.feed is not None else finish(request, made)


def _run_operation(request: Request) -> Answer | Rest:
    """Raises the problem of a refused request."""
    operation, services = request.operation, request.services
    limit = services.settings.query_limit
    host, names = request.header(b"host"), services.hosts
    if not (names is None or host is None or operation.any_host or is_known(host, names)):
        raise ProblemError("misdirected-request")
    if len(request.query) > limit:
        raise query_too_long(limit)
    if operation.offers:
        request.accepted = preferred_type(request, *operation.offers)
    return operation.view(request)


def _answer_error(request: Request, error: Exception) -> Answer:
    """Answers an error with its problem, or with an internal error if that fails."""
    problem = problem_of(error, request.game, request.id)
    try:
        answer = problem_answer(request, problem)
    except Exception as fault:
        problem = problem_of(fault, request.game, request.id)
        answer = problem_answer(request, problem)
    if isinstance(problem, RateLimited):
        answer.limit = problem.limit
        count_rate_limited(problem.limit.policy)
    request.refusal = problem.code, problem.reason
    return answer


def finish(request: Request, answer: Answer, waited: float = 0.0) -> Answer:
    """Counts and logs the answer before it is sent. ``waited`` are the seconds for news."""
    request.waited = request.waited or waited
    if request.operation.counted:
        _observe(request, answer.status)
    return answer


def _observe(request: Request, status: int) -> None:
    # Waiting for news is neither work nor slowness.
    seconds = perf_counter() - request.started - request.waited
    method = request.method if request.method in METHODS else "other"
    count_request(method, request.route, status, seconds)
    # A flood of refusals by a rate limit would hide all other lines.
    is_limited = request.limit is not None and not request.limit.allowed
    services = request.services
    logged = services.settings.log_answers or (status >= 400 and not is_limited)
    if logged or services.tracing is not None:
        ms = round(seconds * 1000, 2)
        about = request.game, request.ruleset, *request.refusal
        record = AccessRecord(request.id, method, request.route, status, ms, *about)
        if services.tracing is not None:
            services.tracing.end(request.span, record, request.waited)
        if logged:
            log_request(record)


def _add_headers(request: Request, answer: Answer) -> None:
    """Adds the common headers. Empties the answer, with 304, if the client already has it."""
    operation, etag, body, feed = request.operation, answer.etag, answer.body, answer.feed
    if etag is None and answer.cache == CACHEABLE and isinstance(body, bytes):
        etag = entity_tag(body)
    own = answer.headers
    if etag is not None:
        if answer.status == 200 and is_match(request.header(b"if-none-match"), etag):
            answer.status, body, own = 304, b"", ()
        own = (*own, ("ETag", etag))
    charged = request.bill.charge()
    # The headers of a refused request have the limit that refused it, those of a new session the
    # limit of sessions.
    if charged is not None and not charged.allowed:
        charged = charged._replace(allowed=True)
    request.limit = answer.limit or charged
    if not isinstance(body, bytes):
        body = _bill_pieces(request.bill, body)
    if feed is not None and feed.late_body is not None:
        late = partial(_bill_body, request.bill, feed.late_body)
        answer.feed = feed._replace(late_body=late)
    if request.limit is not None:
        own = (*own, *request.limit.headers)
    own = (*own, ("X-Request-ID", request.id))
    media_type, language, vary = answer.media_type, answer.language, answer.vary
    if len(operation.offers) > 1:
        vary = ("Accept", *vary)
    if language is not None:
        vary = (*vary, "Accept-Language")
    if answer.status in (204, 304):
        media_type, language, body = "", None, b""
    if not operation.any_origin:
        vary = (*vary, "Origin")
        own = (*own, *session_headers(request.header(b"origin"), request.services.origins))
    any_origin = operation.any_origin
    shared = _shared_headers(media_type, answer.cache, language, vary, answer.policy, any_origin)
    answer.shared, answer.headers, answer.body = shared, own, body


def _bill_pieces(bill: Bill, pieces: Pieces) -> Pieces:
    with closing(pieces):
        while True:
            with bill:
                piece = next(pieces, None)
            if piece is None:
                return
            yield piece


def _bill_body(bill: Bill, make: Callable[[], bytes]) -> bytes:
    with bill:
        return make()


@lru_cache(maxsize=1024)
def _shared_headers(
    media_type: str,
    cache: str,
    language: str | None,
    vary: tuple[str, ...],
    policy: str,
    any_origin: bool,
) -> SharedHeaders:
    about = (
        ("Content-Type", media_type),
        ("Cache-Control", cache),
        ("Content-Language", language or ""),
        ("Vary", ", ".join(vary)),
        ("Content-Security-Policy", policy),
    )
    named = (pair for pair in about if pair[1])
    return SharedHeaders((*named, *(COMMON if any_origin else ())))
