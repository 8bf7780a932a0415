"""gunicorn's worker with threads, for the WSGI application; what is no HTTP gets a problem."""

from contextlib import suppress
from typing import Any

from gunicorn.http.errors import (
    ExpectationFailed,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.workers.gthread import ThreadWorker

from service.server.exchange import refusal

STATUSES = {LimitRequestLine: 414, ExpectationFailed: 417, LimitRequestHeaders: 431}
"""Statuses of malformed requests; all others are 400."""


class WsgiWorker(ThreadWorker):  # type: ignore[misc]
    """Answers what gunicorn's parser refuses as the ASGI server does."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        malformed = isinstance(exc, ParseException)
        if not malformed:
            self.log.error("Error handling request", exc_info=exc)
        status = STATUSES.get(type(exc), 400) if malformed else 500
        with suppress(OSError):
            client.sendall(refusal(status))
