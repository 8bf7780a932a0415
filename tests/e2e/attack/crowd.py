"""A crowd of hostile clients in its own process: ``... -m tests.e2e.attack.crowd PORT SECONDS``.

Each client holds a connection as long as possible, and reconnects as soon as it is closed.
"""

import asyncio
import json
import resource
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.client import HTTPConnection
from random import Random

from tests.application import ADJUDICATIONS, BATCH
from tests.wire import request

HALF_HEADERS, HALF_BODIES, DEAF = 500, 200, 200
"""Numbers of clients with half a header, half a body, and an unread answer."""

ROLL = b'{"card":"double","roll":[1,1,5,5,5,2]}'
POSITIONS = 1000
"""Positions of a batch. Its answer of 4 MB exceeds all buffers on the way."""
DRIP = 2.0
"""Seconds between two bytes."""
GATHERING = 2.0
"""Seconds in which all clients connect."""
STREAMS_OF_ONE = 40
"""Streams that follow the same session."""

LINES = (ROLL + b"\n") * POSITIONS
FILE = request("GET", "/openapi.json") * 12
"""Some megabytes that are cheap to produce."""
BATCHES = (
    request("POST", BATCH, b'{"positions":[' + b",".join([ROLL] * POSITIONS) + b"]}"),
    request("POST", BATCH, LINES, "Content-Type: application/x-ndjson"),
)

Attack = Callable[[socket.socket, Random], Awaitable[None]]


async def half_a_header(line: socket.socket, random: Random) -> None:
    """Sends a header that never ends."""
    await _drip(line, b"POST / HTTP/1.1\r\nHost: localhost\r\n", b"X-%d: y\r\n", random)


async def half_a_body(line: socket.socket, random: Random) -> None:
    """Announces a body and sends it byte by byte."""
    head = request("POST", ADJUDICATIONS, None, "Content-Type: application/json")[:-2]
    await _drip(line, head + b"Content-Length: 5000\r\n\r\n{", b"%d ", random)


async def _drip(line: socket.socket, start: bytes, drop: bytes, random: Random) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(line, start)
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(DRIP * (0.5 + random.random())):
                if not await loop.sock_recv(line, 4096):
                    return
        await loop.sock_sendall(line, drop % random.randrange(10))


async def deaf(line: socket.socket, request: bytes) -> None:
    """Sends a request, and never reads the answer."""
    await asyncio.get_running_loop().sock_sendall(line, request)
    while line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1:
        # State 1 is established: the service holds the connection.
        await asyncio.sleep(0.5)


async def repeat_attack(
    port: int, number: int, counts: Counter[str], name: str, attack: Attack
) -> None:
    """Runs a client of the crowd repeatedly, until cancelled."""
    loop, random = asyncio.get_running_loop(), Random(number)
    await asyncio.sleep(random.random() * GATHERING)
    while True:
        with socket.socket() as line:
            line.setblocking(False)
            # From many addresses, so that a limit per address is not the only defence.
            line.bind((f"127.0.{number % 200 + 1}.7", 0))
            if name == "deaf":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with suppress(OSError):
                await loop.sock_connect(line, ("127.0.0.1", port))
                counts[name] += 1
                await attack(line, random)
            counts[f"{name} closed"] += 1
        await asyncio.sleep(random.random() / 10)


def feeds_of_sessions(port: int, number: int) -> list[str]:
    """Creates this many sessions and returns the paths of their feeds.

    Waits for a service whose Redis is away, because the soak test has just killed it.
    """
    line = HTTPConnection("127.0.0.1", port, timeout=20)
    paths = list[str]()
    while len(paths) < number:
        body = b'{"game":"tutto","players":["Ann","Ben"]}'
        line.request("POST", "/v1/sessions", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        answer.read()
        if answer.status == 503:
            time.sleep(int(answer.headers["Retry-After"]))
            continue
        assert answer.status == 201, answer.status
        paths.append(f"{answer.headers['Location']}/events")
    line.close()
    return paths


def questions(port: int, number: int) -> list[bytes]:
    """Returns the requests of clients that never read: half follow games, a tenth send batches.

    Keeping a service busy with work takes no crowd. This crowd tries to block the service by
    holding connections.
    """
    feeds = feeds_of_sessions(port, -(-number // 2 // STREAMS_OF_ONE))
    streams = [
        request("GET", feeds[place // STREAMS_OF_ONE], None, "Accept: text/event-stream")
        for place in range(number // 2)
    ]
    batches = [BATCHES[place % 2] for place in range(number // 10)]
    return streams + batches + [FILE] * (number - len(streams) - len(batches))


async def crowd(port: int, seconds: float, sizes: tuple[int, int, int]) -> Counter[str]:
    """Attacks for ``seconds``. Returns the counts of each kind."""
    counts: Counter[str] = Counter()
    heads, bodies, readers = sizes
    requests = await asyncio.to_thread(questions, port, readers)

    def attack_with(question: bytes) -> Attack:
        return lambda line, _: deaf(line, question)

    attacks: list[tuple[str, Attack]] = [("half a header", half_a_header)] * heads
    attacks += [("half a body", half_a_body)] * bodies
    attacks += [("deaf", attack_with(question)) for question in requests]
    tasks = [
        asyncio.create_task(repeat_attack(port, number, counts, name, attack))
        for number, (name, attack) in enumerate(attacks)
    ]
    print("begun", flush=True)
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(result, asyncio.CancelledError):
            raise AssertionError("an attack of the crowd has ended early") from result
    return counts


def main() -> None:
    """Prints ``begun`` when all are connected, and their counts at the end."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, seconds, *sizes = map(int, sys.argv[1:])
    kinds = tuple(sizes) or (HALF_HEADERS, HALF_BODIES, DEAF)
    print(json.dumps(asyncio.run(crowd(port, seconds, kinds))))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
