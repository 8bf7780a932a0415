"""Fuzzed requests: ``python -m tests.load.fuzz PORT NUMBER SEED SECONDS``.

Most requests use keep-alive connections, many at once. The others are arbitrary bytes. The counts
of answers are printed as a line of JSON, at intervals and at the end.
"""

import json
import re
import socket
import sys
import time
from collections import Counter
from contextlib import suppress

from tests.load.mutations import Mutator, sessions

LOT = 20
"""Requests sent at once on a keep-alive connection."""
WILD = 0.3
"""Fraction of requests that are arbitrary bytes."""
QUIET = 0.02
"""Seconds to wait for an answer to arbitrary bytes. Most of them form no request."""
LOTS_PER_WAIT = 20
"""Every this many lots the client waits for the answer. Other clients leave early."""
NEWS_SECONDS = 10.0

HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked\r\n", re.IGNORECASE)


class FuzzedLine:
    """A connection that stays open as long as the service allows."""

    def __init__(self, port: int) -> None:
        self._port, self._buffer = port, b""
        self._socket: socket.socket | None = None

    def ask(self, many: list[bytes], counts: Counter[str]) -> list[bytes]:
        """Sends all requests. Returns the requests cut off by a closed connection."""
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
            # The connection was closed after the last answer, or by the next request.
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
    """Sends at most ``number`` requests in ``seconds``. Returns the answers."""
    known = sessions(port, 3)
    mutator, line, counts = Mutator(seed, known), FuzzedLine(port), Counter[str]()
    end, news, done, turn = time.monotonic() + seconds, time.monotonic() + NEWS_SECONDS, 0, 0
    while done < number and time.monotonic() < end:
        turn += 1
        rest = [mutator.framed() for _ in range(min(LOT, number - done))]
        done += len(rest)
        while rest:
            rest = line.ask(rest, counts)
        for _ in range(min(round(LOT * WILD / (1 - WILD)), number - done)):
            throw(port, mutator.wild(), counts, wait=turn % LOTS_PER_WAIT == 0)
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
