"""Pipeline that every request passes, whichever server has read it."""

from functools import lru_cache
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
from dice_referee.api.message import Answer, Request, Response
from dice_referee.api.negotiation import preferred
from dice_referee.api.operation import NotHere, Operation
from dice_referee.api.problems import ProblemError, problem_of, query_too_long
from dice_referee.api.rate_limits import limited_key
from dice_referee.api.services import Services
from dice_referee.telemetry.logs import AccessRecord, count_refusal, log_request
from dice_referee.telemetry.metrics import count_request

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics know by name; every other one is counted under one label."""


def handle(operation: Operation, request: Request, services: Services) -> Response:
    """Answers a request that was admitted: host, negotiation, the operation, headers, metrics, log.

    Raises NotHere where the answer takes longer than it may at its place.
    """
    request.id = request.id or request_id(request.header(b"x-request-id"))
    if services.tracing is not None and request.span is None:
        request.span = services.tracing.begin(request.header(b"traceparent"))
    try:
        if request.problem is not None:
            raise request.problem
        _check_host(operation, request, services)
        limit = services.settings.query_limit
        if len(request.query) > limit:
            raise query_too_long(limit)
        if operation.offers:
            request.accepted = preferred(request, *operation.offers)
        answer = operation.view(request, services)
    except NotHere:
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
    request.refusal = problem.code, problem.reason
    return answer


def _check_host(operation: Operation, request: Request, services: Services) -> None:
    host, names = request.header(b"host"), services.hosts
    if not (names is None or host is None or operation.any_host or is_known(host, names)):
        raise ProblemError("misdirected-request")


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
            count_refusal(key.client)
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
    return Response(status, shared, own, body, answer.feed)


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
