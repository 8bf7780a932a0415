"""The answer to what the application does not answer: a problem (RFC 9457)."""

from http import HTTPStatus

import orjson

from service.api.problems import bad_request, internal_error
from service.http1.exchange import last_answer

FIELDS = [
    (b"content-type", b"application/problem+json"),
    (b"content-language", b"en"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


def refusal(status: int) -> bytes:
    """Returns the whole answer for a status."""
    problem = internal_error() if status == 500 else bad_request()
    document = problem.document("en")
    if document["status"] != status:
        document |= {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return last_answer(status, FIELDS, orjson.dumps(document))
