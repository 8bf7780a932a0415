"""Pipeline that every request passes, whichever server has read it."""

from collections.abc import Callable, Generator
from contextlib import closing
from functools import lru_cache, partial
from time import perf_counter

from dice_referee.api.answers import problem_answer
from dice_referee.api.headers import (
    CACHEABLE,
    COMMON,
    Headers,
    SharedHeaders,
    entity_tag,
    is_match,
    request_id,
    session_headers,
)
from dice_referee.api.hosts import is_known
from dice_referee.api.message import Answer, Feed, Place, Request, Response
from dice_referee.api.negotiation import preferred
from dice_referee.api.operation import NotHere, Operation
from dice_referee.api.problems import ProblemError, problem_of, query_too_long
from dice_referee.api.rate_limits import RateLimited, limited_key, look_again
from dice_referee.api.services import Services
from dice_referee.limits.bill import Bill
from dice_referee.rulebook.details import Detail
from dice_referee.telemetry.logs import AccessRecord, log_refusal, log_request
from dice_referee.telemetry.metrics import count_rate_limited, count_request

Pieces = Generator[bytes, None, None]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics know by name; every other one is counted under one label."""


def handle(operation: Operation, request: Request, services: Services) -> Response:
    """Answers a request that was admitted: host, negotiation, the operation, headers, metrics, log.

    Raises NotHere where the answer takes longer than it may at its place.
    """
    if request.bill is not None:
        request.bill.start()
    request.id = request.id or request_id(request.header(b"x-request-id"))
    if services.tracing is not None and request.span is None:
        request.span = services.tracing.begin(request.header(b"traceparent"))
    try:
        if request.problem is not None:
            raise request.problem
        if request.place is Place.HEAVY:
            look_again(request)
        _check_host(operation, request, services)
        limit = services.settings.query_limit
        if len(request.query) > limit:
            raise query_too_long(limit)
        if operation.offers:
            request.accepted = preferred(request, *operation.offers)
        answer = operation.view(request, services)
    except NotHere:
        if request.bill is not None:
            request.bill.charge()
        raise
    except Exception as error:
        answer = _refused(request, error)
    response = _response(operation, request, services, answer)
    if answer.feed is None and operation.counted:
        observe(request, response.status, services)
    return response


def _refused(request: Request, error: Exception) -> Answer:
    """Answers an error with its problem; one that cannot be written is a fault of ours."""
    problem = problem_of(error, request)
    try:
        answer = problem_answer(request, problem)
    except Exception as fault:
        problem = problem_of(fault, request)
        answer = problem_answer(request, problem)
    if isinstance(problem, RateLimited):
        request.rate_limit = problem.limit
        count_rate_limited(problem.limit.policy)
    request.refusal = problem.code, problem.reason
    return answer


def _check_host(operation: Operation, request: Request, services: Services) -> None:
    host, names = request.header(b"host"), services.hosts
    if not (names is None or host is None or operation.any_host or is_known(host, names)):
        raise ProblemError("misdirected-request", Detail.MISDIRECTED_REQUEST)


def observe(request: Request, status: int, services: Services) -> None:
    """Counts the answer and logs it; a feed is counted by the server when it is sent.

    How long it was held back for news is not in its seconds: that is no work, and no slowness.
    """
    seconds = perf_counter() - request.started - request.waited
    method = request.method if request.method in METHODS else "other"
    count_request(method, request.route, status, seconds)
    logged = status >= 400 or services.settings.log_answers
    if logged or services.tracing is not None:
        ms = round(seconds * 1000, 2)
        about = request.game, request.ruleset, *request.refusal
        record = AccessRecord(request.id, method, request.route, status, ms, *about)
        if services.tracing is not None:
            services.tracing.end(request.span, record, request.waited)
        if key := limited_key(request, services):
            log_refusal(key, record)
        elif logged:
            log_request(record)


def _response(
    operation: Operation, request: Request, services: Services, answer: Answer
) -> Response:
    """Adds the headers that every answer has; a 304 if the client has the answer already."""
    etag, status, body = answer.etag, answer.status, answer.body
    if etag is None and answer.cache == CACHEABLE and isinstance(body, bytes):
        etag = entity_tag(body)
    own: Headers = answer.headers
    if etag is not None:
        if status == 200 and is_match(request.header(b"if-none-match"), etag):
            status, body, own = 304, b"", ()
        own = (*own, ("ETag", etag))
    feed = answer.feed
    if request.bill is not None:
        body, feed = _billed(request, request.bill, body, feed)
    if request.rate_limit is not None:
        own = (*own, *request.rate_limit.headers)
    own = (*own, ("X-Request-ID", request.id))
    media_type, language, vary = answer.media_type, answer.language, answer.vary
    if len(operation.offers) > 1:
        vary = ("Accept", *vary)
    if language is not None:
        vary = (*vary, "Accept-Language")
    if status in (204, 304):
        media_type, language, body = "", None, b""
    if not operation.any_origin:
        vary = (*vary, "Origin")
        own = (*own, *session_headers(request.header(b"origin"), services.origins))
    any_origin = operation.any_origin
    shared = _shared(media_type, answer.cache, language, vary, answer.policy, any_origin)
    return Response(status, shared, own, body, feed)


def _billed(
    request: Request, bill: Bill, body: bytes | Pieces, feed: Feed | None
) -> tuple[bytes | Pieces, Feed | None]:
    """Charges the work until now; returns body and feed that charge what makes them later."""
    state, told = bill.charge(), request.rate_limit
    # A refused request tells the limit as it refused; a new session tells that of sessions.
    if told is not None and told.allowed and told.policy == state.policy:
        request.rate_limit = state._replace(allowed=True)
    if not isinstance(body, bytes):
        body = _billed_pieces(bill, body)
    if feed is not None and feed.late_body is not None:
        feed = feed._replace(late_body=partial(_billed_body, bill, feed.late_body))
    return body, feed


def _billed_pieces(bill: Bill, pieces: Pieces) -> Pieces:
    """Yields the pieces and charges each, in the thread that makes it."""
    with closing(pieces):
        while True:
            bill.start()
            piece = next(pieces, None)
            bill.charge()
            if piece is None:
                return
            yield piece


def _billed_body(bill: Bill, make: Callable[[], bytes]) -> bytes:
    bill.start()
    try:
        return make()
    finally:
        bill.charge()


@lru_cache(maxsize=1024)
def _shared(
    media_type: str,
    cache: str,
    language: str | None,
    vary: tuple[str, ...],
    policy: str,
    any_origin: bool,
) -> SharedHeaders:
    """Returns the answer's own headers and the common ones."""
    about = (
        ("Content-Type", media_type),
        ("Cache-Control", cache),
        ("Content-Language", language or ""),
        ("Vary", ", ".join(vary)),
        ("Content-Security-Policy", policy),
    )
    named = (pair for pair in about if pair[1])
    return SharedHeaders((*named, *(COMMON if any_origin else ())))
