"""Parses the answers on a connection after arbitrary bytes."""

import re
import socket

from tests.e2e.attack.raw import Statuses

STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) [^\r\n]*\r\n")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked\r\n", re.IGNORECASE)
METHODS = re.compile(rb"(GET|HEAD|POST) \S+ HTTP/1\.[01]\r\n")
HTTP_0_9 = 9
"""Status of an HTTP/0.9 answer, which has no status line."""


def read_answers(port: int, raw: bytes, quiet: float = 1.0) -> bytes:
    """Reads all answers until the service closes or is quiet for this time."""
    parts = []
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        try:
            line.sendall(raw)
            line.settimeout(quiet)
            while part := line.recv(1 << 16):
                parts.append(part)
        except OSError:
            pass  # quiet or reset: both end the answers
    return b"".join(parts)


def statuses(answers: bytes, raw: bytes = b"") -> Statuses:
    """Returns the status of each final answer. An answer to HEAD has no body."""
    delays: list[int] = []
    heads = [match[1] == b"HEAD" for match in METHODS.finditer(raw)]
    while answers:
        start = STATUS.match(answers)
        if not start:
            return (*delays, HTTP_0_9)
        status, head_end = int(start[1]), answers.index(b"\r\n\r\n") + 4
        head, answers = answers[:head_end], answers[head_end:]
        if status < 200:
            continue
        headless = len(delays) < len(heads) and heads[len(delays)]
        delays.append(status)
        if headless or status in (204, 304):
            continue
        if length := LENGTH.search(head):
            assert len(answers) >= int(length[1]), "the answer was cut off"
            answers = answers[int(length[1]) :]
        elif CHUNKED.search(head):
            _, _, answers = answers.partition(b"\r\n0\r\n\r\n")
        else:
            answers = b""  # to the end of the connection
    return tuple(delays)
