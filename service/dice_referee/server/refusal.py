"""Answers to requests that the pipeline cannot answer, with a problem (RFC 9457)."""

from collections.abc import Mapping

import orjson

from dice_referee.api.headers import (
    COMMON,
    LOADS_NOTHING,
    NO_STORE,
    Headers,
    as_asgi,
    request_id,
    session_headers,
)
from dice_referee.api.message import PROBLEM
from dice_referee.api.pipeline import METHODS
from dice_referee.api.problems import bad_request, internal_error, query_too_long
from dice_referee.http1.connection import TARGET_LIMIT
from dice_referee.http1.request_head import Fields
from dice_referee.telemetry.logs import AccessRecord, log_request
from dice_referee.telemetry.metrics import count_request

VARY = "Accept, Accept-Language"
"""``Vary`` of the pipeline's refusals, which these refusals replace."""
SHARED: Headers = (
    ("Content-Type", PROBLEM),
    ("Content-Language", "en"),
    ("Cache-Control", NO_STORE),
    ("Content-Security-Policy", LOADS_NOTHING),
)


def refusal(
    status: int,
    method: str = "",
    route: str = "none",
    fields: Mapping[bytes, bytes] | None = None,
    origins: frozenset[str] | None = None,
) -> tuple[Fields, bytes]:
    """Returns headers and body of the answer for a status, counts it, and logs a fault.

    Pages of every origin may read it, unless ``origins`` lists the allowed origins. Without a
    readable target the method, the route and the fields are unknown.
    """
    known = {name: value.decode("latin-1") for name, value in (fields or {}).items()}
    id = request_id(known.get(b"x-request-id"))
    problems = {414: query_too_long(TARGET_LIMIT), 500: internal_error()}
    problem = problems.get(status, bad_request())
    method = method if method in METHODS else "other"
    count_request(method, route, status)
    if status >= 500:
        log_request(AccessRecord(id, method, route, status, problem=problem.code))
    readers: Headers = (("Vary", VARY), *COMMON)
    if origins is not None:
        readers = (("Vary", f"{VARY}, Origin"), *session_headers(known.get(b"origin"), origins))
    headers = (*SHARED, *readers, ("X-Request-ID", id))
    document = problem.document("en") | {"status": status}
    return as_asgi(headers), orjson.dumps(document)
