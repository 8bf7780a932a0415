"""Requests by the hundred thousand: ``python -m tests.load.fuzz PORT NUMBER SEED SECONDS``.

Most go out on connections that are kept, many at once; the others are bytes of any kind. What was
answered is printed as a line of JSON, now and then and at the end.
"""

import json
import re
import socket
import sys
import time
from collections import Counter
from contextlib import suppress

from tests.load.mutations import Mutator, sessions

TOGETHER = 20
"""Requests that are sent at once on a connection that is kept."""
WILD = 0.3
"""The part of the requests that are bytes of any kind."""
QUIET = 0.02
"""Seconds for which an answer to such bytes is waited for: most of them never are a request."""
WAITED_FOR = 20
"""Every so many lots one is waited for; clients of the others leave early."""
NEWS_SECONDS = 10.0

HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked\r\n", re.IGNORECASE)


class FuzzedLine:
    """A connection that is kept while the service keeps it."""

    def __init__(self, port: int) -> None:
        self._port, self._buffer = port, b""
        self._socket: socket.socket | None = None

    def ask(self, many: list[bytes], counts: Counter[str]) -> list[bytes]:
        """Sends all requests; returns those cut off by a closed connection."""
        done = 0
        try:
            if self._socket is None:
                self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=20)
            self._socket.sendall(b"".join(many))
            while done < len(many):
                status = self._answer()
                if status >= 200:
                    counts[str(status)] += 1
                    done += 1
        except (OSError, EOFError) as error:
            counts["timeouts" if isinstance(error, TimeoutError) else "closed"] += 1
            self.close()
            # It was closed behind the last answer, or by the next question.
            return many[max(done, 1) :]
        return []

    def _answer(self) -> int:
        while not (head := HEAD.match(self._buffer)):
            self._more()
        self._buffer = self._buffer[head.end() :]
        status = int(head[1])
        if status < 200 or status in (204, 304):
            return status
        if length := LENGTH.search(head[0]):
            size = int(length[1])
            while len(self._buffer) < size:
                self._more()
            self._buffer = self._buffer[size:]
        elif CHUNKED.search(head[0]):
            while b"0\r\n\r\n" not in self._buffer:
                self._more()
            self._buffer = self._buffer.partition(b"0\r\n\r\n")[2]
        return status

    def _more(self) -> None:
        assert self._socket is not None
        part = self._socket.recv(1 << 16)
        if not part:
            raise EOFError
        self._buffer += part

    def close(self) -> None:
        self._buffer = b""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def throw(port: int, raw: bytes, counts: Counter[str], wait: bool) -> None:
    """Sends bytes and leaves, with or without waiting for an answer."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(raw)
        line.settimeout(QUIET)
        if not wait:
            line.shutdown(socket.SHUT_WR)
        for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", line.recv(1 << 16)):
            counts[status.decode()] += 1
            return
    counts["none"] += 1


def fuzz(port: int, number: int, seed: int, seconds: float) -> Counter[str]:
    """Asks at most ``number`` times in ``seconds``; returns the answers."""
    known = sessions(port, 3)
    mutator, line, counts = Mutator(seed, known), FuzzedLine(port), Counter[str]()
    end, news, done, turn = time.monotonic() + seconds, time.monotonic() + NEWS_SECONDS, 0, 0
    while done < number and time.monotonic() < end:
        turn += 1
        rest = [mutator.framed() for _ in range(min(TOGETHER, number - done))]
        done += len(rest)
        while rest:
            rest = line.ask(rest, counts)
        for _ in range(min(round(TOGETHER * WILD / (1 - WILD)), number - done)):
            throw(port, mutator.wild(), counts, wait=turn % WAITED_FOR == 0)
            done += 1
        if time.monotonic() > news:
            news += NEWS_SECONDS
            print(json.dumps({"sent": done, **counts}), flush=True)
    line.close()
    secrets = [secret for at, tokens in known for secret in (at.rpartition("/")[2], *tokens)]
    print(json.dumps({"sent": done, **counts, "secrets": secrets}), flush=True)
    return counts


if __name__ == "__main__":
    fuzz(*map(int, sys.argv[1:5]))
