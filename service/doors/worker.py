"""gunicorn's asgi worker with the patience of a referee: clients that dawdle are sent home.

The worker has no deadline before the first request, does not enforce ``worker_connections`` and
waits for ever for a client that does not read. All three are mended here, in its protocol class.
"""

from asyncio import BaseTransport, TimerHandle
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from service.settings import Settings


class PatientProtocol(ASGIProtocol):  # type: ignore[misc]
    """One connection, with deadlines."""

    settings = Settings()
    _stuck: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        if self.worker.nr_conns > self.worker.worker_connections:
            transport.abort()  # type: ignore[attr-defined]
            return
        # gunicorn cancels this timer when the first request's headers are complete.
        self._keepalive_handle = self.worker.loop.call_later(
            self.settings.request_seconds, self._keepalive_timeout
        )

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.worker.loop.call_later(
                self.settings.write_seconds, self.transport.abort
            )

    def resume_writing(self) -> None:
        self._forget_stuck()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_stuck()
        super().connection_lost(exc)

    def _forget_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None


class PatientWorker(gasgi.ASGIWorker):  # type: ignore[misc]
    """The worker that ``deploy/gunicorn.conf.py`` names."""

    def init_process(self) -> Any:
        # The worker's own code names the class that it makes for each connection.
        gasgi.ASGIProtocol = PatientProtocol
        return super().init_process()
