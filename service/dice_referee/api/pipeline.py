"""Pipeline that every request passes, with every server."""

from collections.abc import Callable, Generator
from contextlib import closing
from functools import lru_cache, partial
from time import perf_counter

from dice_referee.api.answers import problem_answer
from dice_referee.api.exchange import Exchange
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
from dice_referee.api.message import JSON, NO_BODY, Answer, Body, Place, Request, Response
from dice_referee.api.negotiation import preferred_type
from dice_referee.api.operation import Inquiry, NotHere, NotMade, Operation
from dice_referee.api.problems import ProblemError, problem_of, query_too_long
from dice_referee.api.rate_limits import RateLimited, admit, check
from dice_referee.api.services import Services
from dice_referee.games import catalogue
from dice_referee.limits.bill import Bill
from dice_referee.telemetry.logs import AccessRecord, log_request
from dice_referee.telemetry.metrics import count_rate_limited, count_request

Pieces = Generator[bytes, None, None]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods with a label of their own in metrics. All others share a label."""


def begin(operation: Operation, request: Request, services: Services) -> Exchange:
    """Admits or refuses a request before its body is read."""
    bill = admit(operation, request, services)
    id = request_id(request.header(b"x-request-id"))
    exchange = Exchange(operation, request, id, bill, bill.limit)
    # Known before the body, so that the problem of a malformed body and its log name the game.
    game: str = request.parameters.get("game", "")
    exchange.game = game if game in catalogue() else ""
    if bill.limit is not None and not bill.limit.allowed:
        exchange.problem = RateLimited(bill.limit)
    return exchange


def refuse(exchange: Exchange, problem: Exception, waited: float = 0.0) -> None:
    """Answers the request with a problem, unless it already has a problem."""
    exchange.problem, exchange.waited = exchange.problem or problem, waited


def handle(exchange: Exchange, services: Services, place: Place, body: Body = NO_BODY) -> Response:
    """Answers a request: host, negotiation, the operation, headers, metrics, log.

    Raises NotHere if the answer would take too long at this place, and NotMade if it lacks a value.
    """
    exchange.bill.start()
    if services.tracing is not None and exchange.span is None:
        exchange.span = services.tracing.begin(exchange.request.header(b"traceparent"))
    try:
        request = _check_request(exchange, services, place, body)
        answer = exchange.operation.view(request, services)
        if isinstance(answer, Inquiry):
            game, document, answer_of = answer
            exchange.game = game.name
            exchange.ruleset = document.get("ruleset", game.default.id)
            answer = answer_of()
    except (NotHere, NotMade):
        exchange.bill.charge()
        raise
    except Exception as error:
        answer = _answer_error(exchange, error)
    response = _response(exchange, services, answer)
    return response if response.feed is not None else finish(exchange, response, services)


def _check_request(exchange: Exchange, services: Services, place: Place, body: Body) -> Request:
    """Returns the request for its operation. Raises the problem of the request, if any."""
    operation, request = exchange.operation, exchange.request
    if exchange.problem is not None:
        raise exchange.problem
    if place is Place.HEAVY:
        # Other requests may have exhausted the limit while this request waited.
        check(exchange.bill.look())
    _check_host(operation, request, services)
    limit = services.settings.query_limit
    if len(request.query) > limit:
        raise query_too_long(limit)
    accepted = preferred_type(request, *operation.offers) if operation.offers else JSON
    method, path, query, headers, peer, route, parameters, *_ = request
    about = method, path, query, headers, peer, route, parameters
    return Request(*about, body, accepted, place, exchange.bill)


def _answer_error(exchange: Exchange, error: Exception) -> Answer:
    """Answers an error with its problem, or with an internal error if that fails."""
    problem = problem_of(error, exchange.game, exchange.id)
    try:
        answer = problem_answer(exchange.request, problem)
    except Exception as fault:
        problem = problem_of(fault, exchange.game, exchange.id)
        answer = problem_answer(exchange.request, problem)
    if isinstance(problem, RateLimited):
        answer.limit = problem.limit
        count_rate_limited(problem.limit.policy)
    exchange.refusal = problem.code, problem.reason
    return answer


def _check_host(operation: Operation, request: Request, services: Services) -> None:
    host, names = request.header(b"host"), services.hosts
    if not (names is None or host is None or operation.any_host or is_known(host, names)):
        raise ProblemError("misdirected-request")


def finish(
    exchange: Exchange, response: Response, services: Services, waited: float = 0.0
) -> Response:
    """Counts and logs the response before it is sent. ``waited`` are the seconds for news."""
    exchange.waited = exchange.waited or waited
    if exchange.operation.counted:
        _observe(exchange, response.status, services)
    return response


def _observe(exchange: Exchange, status: int, services: Services) -> None:
    # Waiting for news is neither work nor slowness.
    request, seconds = exchange.request, perf_counter() - exchange.started - exchange.waited
    method = request.method if request.method in METHODS else "other"
    count_request(method, request.route, status, seconds)
    # A flood of refusals by a rate limit would hide all other lines.
    is_limited = exchange.limit is not None and not exchange.limit.allowed
    logged = services.settings.log_answers or (status >= 400 and not is_limited)
    if logged or services.tracing is not None:
        ms = round(seconds * 1000, 2)
        about = exchange.game, exchange.ruleset, *exchange.refusal
        record = AccessRecord(exchange.id, method, request.route, status, ms, *about)
        if services.tracing is not None:
            services.tracing.end(exchange.span, record, exchange.waited)
        if logged:
            log_request(record)


def _response(exchange: Exchange, services: Services, answer: Answer) -> Response:
    """Adds the common headers. Answers 304 if the client already has the answer."""
    operation, request = exchange.operation, exchange.request
    etag, status, body, feed = answer.etag, answer.status, answer.body, answer.feed
    if etag is None and answer.cache == CACHEABLE and isinstance(body, bytes):
        etag = entity_tag(body)
    own: Headers = answer.headers
    if etag is not None:
        if status == 200 and is_match(request.header(b"if-none-match"), etag):
            status, body, own = 304, b"", ()
        own = (*own, ("ETag", etag))
    charged = exchange.bill.charge()
    # The headers of a refused request have the limit that refused it, those of a new session the
    # limit of sessions.
    if charged is not None and not charged.allowed:
        charged = charged._replace(allowed=True)
    exchange.limit = answer.limit or charged
    if not isinstance(body, bytes):
        body = _bill_pieces(exchange.bill, body)
    if feed is not None and feed.late_body is not None:
        feed = feed._replace(late_body=partial(_bill_body, exchange.bill, feed.late_body))
    if exchange.limit is not None:
        own = (*own, *exchange.limit.headers)
    own = (*own, ("X-Request-ID", exchange.id))
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
    shared = _shared_headers(media_type, answer.cache, language, vary, answer.policy, any_origin)
    return Response(status, shared, own, body, feed)


def _bill_pieces(bill: Bill, pieces: Pieces) -> Pieces:
    """Yields the pieces and charges each, in the thread that makes it."""
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
    """Returns the answer's own headers and the common headers."""
    about = (
        ("Content-Type", media_type),
        ("Cache-Control", cache),
        ("Content-Language", language or ""),
        ("Vary", ", ".join(vary)),
        ("Content-Security-Policy", policy),
    )
    named = (pair for pair in about if pair[1])
    return SharedHeaders((*named, *(COMMON if any_origin else ())))
