"""The answer to a request that the application cannot answer: a problem (RFC 9457)."""

import orjson

from dice_referee.api.problems import bad_request, internal_error, query_too_long
from dice_referee.http1.connection import TARGET_LIMIT
from dice_referee.http1.exchange import last_answer

FIELDS = [
    (b"content-type", b"application/problem+json"),
    (b"content-language", b"en"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


def refusal(status: int) -> bytes:
    """Returns the whole answer for a status."""
    problems = {414: query_too_long(TARGET_LIMIT), 500: internal_error()}
    document = problems.get(status, bad_request()).document("en") | {"status": status}
    return last_answer(status, FIELDS, orjson.dumps(document))
