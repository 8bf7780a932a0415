"""From what the game says to the bytes that are sent."""

import re
from collections.abc import Iterable
from typing import Any

import orjson
from flask import Response, request

from service.api.problems import Refused
from service.api.words import LANGUAGES, book
from service.http import message
from service.http.message import JSON, SPENT, Answer
from service.http.policy import COMMON, UNCACHED
from service.rules.verdict import Finding

PROBLEM = "application/problem+json"

POLICY = "Content-Security-Policy"
WITH_OWN_POLICY = tuple(header for header in COMMON if header[0] != POLICY)
"""For a page that says itself what it may load: two policies would both apply."""

IDENTITY = "referee.request_id"
"""The WSGI environ key of what a request is called."""


def language(offered: Iterable[str] = LANGUAGES) -> str:
    """The language that the client likes best; English if it asks for none of those offered."""
    for tag, quality in sorted(request.accept_languages, key=lambda wish: -wish[1]):
        spoken = re.split("[-_]", tag.lower())[0]
        if quality > 0 and spoken in offered:
            return spoken
        if quality > 0 and spoken == "*":
            break
    return "en"


def in_words(response: Response, spoken: str) -> Response:
    """The response marked as text in this language."""
    response.headers["Content-Language"] = spoken
    response.vary.add("Accept-Language")
    return response


DRESS = "referee.dress"
"""The WSGI environ key of the headers of an answer that is not for pages of every origin."""


class Dressed(Response):
    """A response whose own headers are complete, sent with those that every answer has.

    werkzeug would copy, check and correct them each time.
    """

    default_mimetype = None

    def get_wsgi_response(
        self, environ: dict[str, Any]
    ) -> tuple[Iterable[bytes], str, list[tuple[str, str]]]:
        identity = ("X-Request-ID", environ[IDENTITY])
        dress = environ.get(DRESS, COMMON)
        if dress is not COMMON:
            self.vary.add("Origin")
        elif POLICY in self.headers:
            dress = WITH_OWN_POLICY
        receipt = environ.get(SPENT)
        told = () if receipt is None else receipt.headers
        return self.get_app_iter(environ), self.status, [*self.headers, *dress, *told, identity]


def sent(answer: Answer) -> Response:
    """An answer as Flask sends it."""
    response = Dressed([answer.body], answer.status, answer.headers)
    if answer.status not in (204, 304):
        response.headers["Content-Length"] = str(len(answer.body))
    return response


def fresh(content: bytes, kind: str = JSON) -> Response:
    """An answer that nobody keeps."""
    return sent(message.fresh(content, kind))


def cached(content: bytes, kind: str = JSON) -> Response:
    """The answer to a GET that anybody may keep for a while, or 304 if the client has it."""
    return sent(message.cached(content, request.headers.get("If-None-Match"), kind))


def streamed(chunks: Iterable[bytes], kind: str) -> Response:
    """An answer that nobody keeps, sent as it is made."""
    return Dressed(chunks, 200, [UNCACHED], content_type=kind)


def with_findings(game: str, document: dict[str, Any]) -> Response:
    """An answer whose findings are put into words; without findings it holds no text."""
    spoken, found = language(book(game).languages), False

    def worded(value: object) -> Any:
        nonlocal found
        if isinstance(value, Finding):
            found = True
            return book(game).finding_document(value, spoken)
        raise TypeError(f"no JSON for {value!r}")

    response = fresh(orjson.dumps(document, default=worded))
    return in_words(response, spoken) if found else response


def problem(refused: Refused) -> Response:
    """The refusal as a problem in the client's language."""
    spoken = language(book(refused.game).languages if refused.findings else LANGUAGES)
    content = orjson.dumps(refused.document(spoken))
    headers = (("Content-Type", PROBLEM), UNCACHED, *refused.headers)
    return in_words(sent(Answer(refused.status, headers, content)), spoken)
