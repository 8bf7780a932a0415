"""The WSGI application: passes requests to the API's pipeline, and answers to the server."""

from collections.abc import Iterable
from functools import cached_property
from http import HTTPStatus
from time import perf_counter
from typing import Any

from flask import Flask
from werkzeug.datastructures import EnvironHeaders
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wsgi import get_input_stream

from dice_referee.api.headers import as_asgi
from dice_referee.api.message import Answer, Body, Feed, Request
from dice_referee.api.pipeline import answer, begin, finish, refuse
from dice_referee.api.problems import ProblemError, bad_request
from dice_referee.api.routing import Match, Router
from dice_referee.api.services import Services
from dice_referee.sessions.store import StoreError

Environ = dict[str, Any]

STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class WsgiApplication:
    """Serves the operations of a Flask application through the pipeline.

    As its ``wsgi_app`` it serves under every WSGI server and Flask's test client.
    """

    def __init__(self, app: Flask, services: Services) -> None:
        self._app, self.services = app, services

    @cached_property
    def _router(self) -> Router:
        return Router(self._app)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        # An empty path is the root (RFC 9110, 4.2.3).
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace") or "/"
        match = self._router.find(environ["REQUEST_METHOD"], path)
        request = _request_of(environ, path, match, self.services)
        response = self._respond(environ, request)
        headers, body = [*response.shared.pairs, *response.headers], response.body
        if isinstance(body, bytes) and response.status not in (204, 304):
            headers.append(("Content-Length", str(len(body))))
        start_response(STATUS_LINES[response.status], headers)
        if request.method == "HEAD":
            return ()
        return (body,) if isinstance(body, bytes) else body

    def _respond(self, environ: Environ, request: Request) -> Answer:
        """Runs the pipeline after the rate limit: the body of a refused request stays unread."""
        begin(request)
        if request.problem is None:
            try:
                limit = request.operation.body_limit(self.services.settings)
                request.body = _body(environ, limit)
            except Exception:
                # Each server has errors of its own for malformed chunks.
                refuse(request, bad_request())
        answered = answer(request)
        return answered if answered.feed is None else self._wait(request, answered, answered.feed)

    def _wait(self, request: Request, answered: Answer, feed: Feed) -> Answer:
        watchers, waited = self.services.watchers, 0.0
        if watchers is not None and not feed.streamed:
            try:
                begun = perf_counter()
                try:
                    page = watchers.wait(
                        feed.session, feed.after, feed.seconds, with_state=feed.with_state
                    )
                finally:
                    waited = perf_counter() - begun
                request.bill.read(len(page.lines))
                late = feed.late_body
                answered.body = page.json(with_state=feed.with_state) if late is None else late()
            except (StoreError, ProblemError) as error:
                refuse(request, error, waited)
                return answer(request)
        return finish(request, answered, waited)


def _request_of(environ: Environ, path: str, match: Match, services: Services) -> Request:
    # Some servers keep the spaces behind a value (RFC 9110, 5.5).
    fields = ((name, value.strip(" \t")) for name, value in EnvironHeaders(environ))
    headers = dict(as_asgi(tuple(fields)))
    query = environ.get("QUERY_STRING", "").encode("latin-1")
    method, peer = environ["REQUEST_METHOD"], environ.get("REMOTE_ADDR", "")
    return Request(method, path, query, headers, peer, *match, services)


def _body(environ: Environ, limit: int) -> Body:
    """Reads a body of at most ``limit`` bytes. Raises OSError if it is broken."""
    try:
        # A byte more than the limit, because servers silently truncate a chunked body there.
        raw = get_input_stream(environ, max_content_length=limit + 1).read()
    except RequestEntityTooLarge:
        return Body(b"", limit + 1)
    return Body(raw if len(raw) <= limit else b"", len(raw))
