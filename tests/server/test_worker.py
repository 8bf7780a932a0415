"""The gunicorn worker's stop."""

import logging
import socket
from types import SimpleNamespace
from typing import Any

from gunicorn.config import Config

from dice_referee.app import asgi_app, create_app
from dice_referee.server.worker import DeadlineWorker
from tests.unlimited import UNLIMITED
from tests.wire import request

CLIENTS = 20


class StoppedWorker(DeadlineWorker):
    """Worker that stops right after clients have connected, before it can accept them."""

    clients: list[socket.socket]

    @property
    def alive(self) -> bool:
        if not self.clients:
            address = self.sockets[0].getsockname()
            self.clients += [socket.create_connection(address) for _ in range(CLIENTS)]
            for client in self.clients:
                client.sendall(request("GET", "/livez", close=True))
        return False

    @alive.setter
    def alive(self, value: bool) -> None:
        pass


def test_stopping_worker_answers_waiting_connections() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=CLIENTS)
    listener.setblocking(False)
    config: Any = Config()
    application = asgi_app(create_app(UNLIMITED))
    app = SimpleNamespace(wsgi=lambda: application)
    sockets = [SimpleNamespace(sock=listener, dup=listener.dup, getsockname=listener.getsockname)]
    worker = StoppedWorker(1, 0, sockets, app, 60, config, logging.getLogger("gunicorn"))
    worker.clients = []
    worker.load_wsgi()
    worker.run()
    worker.tmp.close()
    for client in worker.clients:
        with client:
            assert client.recv(1 << 16).startswith(b"HTTP/1.1 200 OK\r\n")
    assert len(worker.clients) == CLIENTS
    assert worker.is_stopped
