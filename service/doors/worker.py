"""gunicorn's asgi worker with the patience of a referee: clients that dawdle are sent home.

The worker has no deadline before the first request, does not enforce ``worker_connections``,
listens with room for 100 and waits for ever for a client that does not read. All of it is mended
here. Who is sent home when there is no room: ``service/doors/crowd.py``.
"""

import sys
from asyncio import BaseTransport, TimerHandle
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

from gunicorn.asgi import protocol
from gunicorn.asgi.parser import InvalidHeader
from gunicorn.workers import gasgi

from service.doors.head import Head
from service.doors.parser import Parser

SWITCH_SECONDS = 0.001
"""Seconds after which a thread makes way for another; Python's own is five times as long."""

PARTING_SECONDS = 1.0
"""Seconds between a worker's decision to stop and the end of connections on which nobody asks."""
PLAIN = (("X-Content-Type-Options", "nosniff"),)
MARGIN_SECONDS = 5
"""Seconds that a worker needs to stop when nobody is there, those for its last spans among them."""


class PatientProtocol(protocol.ASGIProtocol):  # type: ignore[misc]
    """One connection, with the deadlines of the front door that it belongs to."""

    app: Any
    """Who answers: the front door, or what is served at the second address."""
    _callback_parser: Any
    _stuck: TimerHandle | None = None
    _broken = False
    open: ClassVar[set["PatientProtocol"]] = set()

    def connection_made(self, transport: BaseTransport) -> None:
        self.open.add(self)
        # Who runs the service has connections of his own, that no crowd of clients can take.
        self.app = self.app.at(transport.get_extra_info("sockname"))
        super().connection_made(transport)
        odd = self.app.crowd.comes(self)
        if odd is not None:
            odd.abort()
        if odd is self:
            return
        self.app.crowd.waits(self)
        # gunicorn cancels this timer when the first request's headers are complete.
        self._keepalive_handle = self.worker.loop.call_later(
            self.app.settings.request_seconds, self._keepalive_timeout
        )

    def abort(self) -> None:
        """The end of the connection, at once."""
        self.app.crowd.leaves(self)
        self.transport.abort()

    def _arm_keepalive_timer(self) -> None:
        self.app.crowd.waits(self)
        super()._arm_keepalive_timer()

    def _on_headers_complete(self) -> bool:
        parser: Any = self._callback_parser
        if parser.http_version > (1, 0) and not any(name == b"host" for name, _ in parser.headers):
            raise InvalidHeader("no Host")  # RFC 9112, 3.2
        # A request that came together with the one before it was not waited for until now.
        self.app.crowd.waits(self)
        return bool(super()._on_headers_complete())

    def _on_message_complete(self) -> None:
        self.app.crowd.has_asked(self)
        super()._on_message_complete()

    def _feed_callback_parser(self, data: bytes) -> bool:
        try:
            return bool(super()._feed_callback_parser(data))
        except ValueError as error:
            # A length of more digits than Python converts.
            self._send_error_response(400, str(error))
            self._close_transport()
            return False

    def _will_close(self, request: object, response_requires_close: bool) -> bool:
        # Whatever is left of a body must not be read as the next request.
        receiver = self._body_receiver
        unread = receiver is not None and not receiver._complete
        ends = response_requires_close or self.worker.leaving
        return unread or bool(super()._will_close(request, ends))

    def leave(self) -> None:
        """The server stops: go, unless a request is being answered."""
        if self in self.open and self._awaiting_request and not self._finishing_calls:
            self._keepalive_timeout()

    def _is_websocket_upgrade(self, request: object) -> bool:
        # Nobody here speaks websocket: the offer is declined by answering the request.
        return False

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        receiver = self._body_receiver
        if receiver is None or receiver._complete:
            # A coding that nobody knows is the client's mistake, as nginx and the contract have it.
            status = HTTPStatus.BAD_REQUEST if status == HTTPStatus.NOT_IMPLEMENTED else status
            # gunicorn's message quotes the request; a browser might take it for a page.
            super()._send_error_response(status, HTTPStatus(status).phrase, PLAIN)
            return
        # The headers were good, so the application is waiting for the body: it answers.
        self._broken, self._callback_parser = True, None
        receiver._body_wait_expired = True
        receiver._wake_waiter()

    def _close_transport(self) -> None:
        if self._broken:
            self._broken = False
            return
        super()._close_transport()

    def _send_response_start(
        self, status: int, headers: Any, request: Any, close: bool = False
    ) -> None:
        if type(headers) is not Head or close:
            super()._send_response_start(status, headers, request, close)
            return
        # Sent together with the body, as gunicorn does.
        self._response_buffer = b"%b%bServer: gunicorn/asgi\r\n%b\r\n" % (
            protocol._get_cached_status_line(request.version, status),
            headers.block,
            protocol._get_cached_date_header(),
        )

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stuck is None:
            settings = self.app.settings
            self._stuck = self.worker.loop.call_later(settings.write_seconds, self.abort)
            self.app.crowd.reads_not(self, self.transport.get_write_buffer_size())
            while self.app.crowd.unread > settings.unread_limit:
                self.app.crowd.slowest().abort()

    def resume_writing(self) -> None:
        self._forget_stuck()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_stuck()
        self.open.discard(self)
        self.app.crowd.leaves(self)
        super().connection_lost(exc)

    def _forget_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
            self.app.crowd.reads(self)


def _scan_response_headers(headers: Any) -> tuple[bool, Any, bool]:
    """Length and framing, as gunicorn looks them up; a head of ours knows its length."""
    if type(headers) is Head and headers.length is not None:
        return True, headers.length, False
    scanned: tuple[bool, Any, bool] = _SCAN(headers)
    return scanned


_SCAN = protocol._scan_response_headers


class PatientWorker(gasgi.ASGIWorker):  # type: ignore[misc]
    """The worker that ``deploy/gunicorn.conf.py`` names."""

    max_requests: int
    leaving = False
    """Whether no connection is kept any more."""

    def init_process(self) -> Any:
        # The worker's own code names the classes that it makes for each connection.
        gasgi.ASGIProtocol = PatientProtocol
        protocol.PythonProtocol = Parser
        protocol._scan_response_headers = _scan_response_headers
        # Threads that compute (a streamed batch) shall not hold up the loop at its every step.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._most, self.max_requests = self.max_requests, sys.maxsize
        # The master's patience ends with its own; whoever is still busy then is sent home before.
        self.cfg.set("graceful_timeout", max(1, self.cfg.graceful_timeout - MARGIN_SECONDS))
        return super().init_process()

    def _setup_event_loop(self) -> None:
        super()._setup_event_loop()
        # A loop listens anew, with room for 100 unless it is told; who then knocks waits a second.
        listen = partial(self.loop.create_server, backlog=self.cfg.backlog)
        self.loop.create_server = listen

    def notify(self) -> None:
        # Asked here, once a second: gunicorn would end at once, in the middle of other answers.
        super().notify()
        if self.nr >= self._most:
            self.handle_exit_signal()

    def handle_exit_signal(self) -> None:
        """Stop, in two steps: answers say first that their connection ends, then it does."""
        if self.leaving:
            return
        self.leaving = True
        # Who knocks now is let in by another one: here he might be sent away before he has asked.
        for server in self.servers:
            server.close()
        self.asgi.leave()
        if PatientProtocol.open:
            self.loop.call_later(PARTING_SECONDS, self._part)
        else:
            self._part()

    def _part(self) -> None:
        super().handle_exit_signal()
        for connection in tuple(PatientProtocol.open):
            connection.leave()

    async def _shutdown(self) -> None:
        if not self.leaving:
            # The master is gone, and nobody has told us to leave.
            self.leaving, self.alive = True, False
            self.asgi.leave()
        for connection in tuple(PatientProtocol.open):
            self.loop.call_later(PARTING_SECONDS, connection.leave)
        await super()._shutdown()
