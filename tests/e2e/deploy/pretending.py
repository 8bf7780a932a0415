"""A fake service that answers every request once its gate is open, or drops connections."""

import socket
import threading
from contextlib import suppress

from tests.engines.servers import DEADLINE, Started


class Pretender(Started):
    """Answers every request with an empty 200 and these header fields, and closes."""

    def __init__(self, *fields: str) -> None:
        super().__init__()
        self.fields = fields
        self.heads: list[bytes] = []
        """Heads of the requests, in the order of arrival."""
        self.gate = threading.Event()
        """While cleared, requests wait for their answers."""
        self.gate.set()
        self.drops = False
        """True to close connections without an answer."""
        self._threads: list[threading.Thread] = []

    def begin(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]} max_fails=0"
        listening = threading.Thread(target=self._listen)
        listening.start()
        self.closing.callback(self._stop, listening)

    def _stop(self, listening: threading.Thread) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in (listening, *self._threads):
            thread.join()

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._answer, args=(line,)))
            self._threads[-1].start()

    def _answer(self, line: socket.socket) -> None:
        with line, suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                part = line.recv(1 << 16)
                if not part:
                    return
                head += part
            self.heads.append(head)
            self.gate.wait(DEADLINE)
            if not self.drops:
                lines = ("HTTP/1.1 200 OK", *self.fields, "Content-Length: 0", "Connection: close")
                line.sendall("\r\n".join((*lines, "", "")).encode())
