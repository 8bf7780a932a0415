"""TCP proxy between the service and a server: adds latency, cuts connections, or encrypts."""

import socket
import ssl
import time
from contextlib import suppress
from threading import Thread
from typing import Self


class Proxy:
    """Listens on its own port and forwards bytes both ways."""

    latency = 0.0
    """Seconds before each chunk of an answer."""
    cut: int | None = None
    """Bytes of answers before all connections break. None means no limit."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self._target = ("127.0.0.1", port)
        self._tls = tls
        self._sockets: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Only a shutdown interrupts a blocked accept.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()

    def hang_up(self) -> None:
        """Breaks all connections."""
        for connection in tuple(self._sockets):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self._target) as server:
            near = self._tls.wrap_socket(client, server_side=True) if self._tls else client
            with near:
                ends = {near, server}
                for end in ends:
                    # Otherwise a second small chunk waits 40 ms for the acknowledgement of the
                    # first.
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._sockets |= ends
                back = Thread(target=self._pump, args=(server, near, True), daemon=True)
                back.start()
                self._pump(near, server, False)
                back.join()
                self._sockets -= ends

    def _pump(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                if answers:
                    time.sleep(self.latency)
                    if self.cut is not None:
                        piece, self.cut = piece[: self.cut], max(0, self.cut - len(piece))
                sink.sendall(piece)
                if answers and self.cut == 0:
                    break
        for connection in (source, sink):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
