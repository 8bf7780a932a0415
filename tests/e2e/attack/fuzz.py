"""Sends fuzzed requests. Most use keep-alive connections; the others are arbitrary bytes."""

import re
import socket
import time
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

from tests.e2e.attack.mutations import Known, Mutator
from tests.wire import request

LOT, WILD = 20, 9
"""Requests sent at once on a connection, and the arbitrary bytes that follow each lot."""
QUIET = 0.02
"""Seconds to wait for an answer to arbitrary bytes. Most of them form no request."""
LOTS_PER_WAIT = 20
"""Every this many lots the client waits for the answer. Other clients leave early."""
PATIENCE = 20.0
STATUS = re.compile(rb"HTTP/1\.1 ([2-5]\d\d) [A-Z]")
LAST = request("GET", "/livez", close=True)


class Fuzzed(NamedTuple):
    """Counts of the answers, the number of requests, and the secrets of the sessions."""

    counts: Counter[str]
    sent: int
    secrets: list[str]


def ask(port: int, many: list[bytes], counts: Counter[str]) -> list[bytes]:
    """Sends requests at once. Returns the requests cut off by a closed connection."""
    answers = b""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            line.sendall(b"".join([*many, LAST]))
            while part := line.recv(1 << 16):
                answers += part
    except OSError as error:
        counts["timeouts" if isinstance(error, TimeoutError) else "closed"] += 1
    statuses = [status.decode() for status in STATUS.findall(answers)][: len(many)]
    counts.update(statuses)
    return many[max(len(statuses), 1) :]


def roll(port: int, raw: bytes, counts: Counter[str], wait: bool) -> None:
    """Sends bytes and leaves, with or without waiting for an answer."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(raw)
        line.settimeout(QUIET)
        if not wait:
            line.shutdown(socket.SHUT_WR)
        if status := STATUS.match(line.recv(1 << 16)):
            counts[status[1].decode()] += 1
            return
    counts["none"] += 1


def fuzz(port: int, known: Known, number: int, seed: int, seconds: float) -> Fuzzed:
    """Sends at most ``number`` requests in ``seconds``, some of them to known sessions."""
    mutator, counts = Mutator(seed, known), Counter[str]()
    end, sent, turn = time.monotonic() + seconds, 0, 0
    while sent < number and time.monotonic() < end:
        turn += 1
        rest = [mutator.framed() for _ in range(min(LOT, number - sent))]
        sent += len(rest)
        while rest:
            rest = ask(port, rest, counts)
        for _ in range(min(WILD, number - sent)):
            roll(port, mutator.wild(), counts, wait=turn % LOTS_PER_WAIT == 0)
            sent += 1
    secrets = [secret for at, tokens in known for secret in (at.rpartition("/")[2], *tokens)]
    return Fuzzed(counts, sent, secrets)
