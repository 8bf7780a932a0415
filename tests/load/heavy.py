"""One hostile address that sends what is dear to read: ``... -m tests.load.heavy PORT SECONDS KIND``.

Four connections without a pause, all from one address; each waits for its answer, or comes back when
it is closed. Prints how often each status came.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from http.client import HTTPConnection, HTTPException
from threading import Thread

from tests.server.serving import BATCH, ROLL

ADDRESS = "127.66.6.6"
CONNECTIONS = 4
PATIENCE = 30.0


def batch(*positions: bytes) -> bytes:
    return b'{"positions":[' + b",".join(positions) + b"]}"


BODIES = {
    "lists": batch(*[b"[[[[]]]]"] * 880_000),
    "escapes": batch(*[b'{"\\u0061":1,"b":[[]],"c":{}}'] * 260_000),
    "objects": batch(*[b"{}"] * 2_700_000),
    "one text": batch(b'"%b"' % (b"x" * 8_000_000)),
    "one text of escapes": batch(b'"%b"' % (b"\\u0061" * 1_300_000)),
    "depth": b"[" * 4_000_000 + b"]" * 4_000_000,
    "as much as may be": batch(*[b'{"\\u0061":[[[1,2,3,4,5,6,7,8]]],"c":{},"d":[1,2,3]}'] * 10_000),
    "good positions": batch(*[ROLL] * 10_000),
}


def send_body(port: int, body: bytes, end: float, counts: Counter[str]) -> None:
    """One connection, until the end."""
    headers = {"Content-Type": "application/json"}
    repeat(port, lambda line: line.request("POST", BATCH, body, headers), end, counts)


def repeat(
    port: int, send: Callable[[HTTPConnection], None], end: float, counts: Counter[str]
) -> None:
    """Sends the same on one connection of the hostile address, until the end."""
    line = HTTPConnection("127.0.0.1", port, PATIENCE, (ADDRESS, 0))
    while time.monotonic() < end:
        try:
            send(line)
            answer = line.getresponse()
            answer.read()
            counts[str(answer.status)] += 1
        except (OSError, HTTPException) as error:
            counts[type(error).__name__] += 1
            line.close()
    line.close()


def attack(connections: Sequence[Callable[[Counter[str]], None]]) -> None:
    """Runs them beside each other, and prints how often each status came."""
    counts: Counter[str] = Counter()
    clients = [Thread(target=connection, args=(counts,)) for connection in connections]
    print("begun", flush=True)
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    print(json.dumps(counts))


def main() -> None:
    """Attack for so many seconds."""
    port, end, body = int(sys.argv[1]), time.monotonic() + float(sys.argv[2]), BODIES[sys.argv[3]]
    attack([partial(send_body, port, body, end)] * CONNECTIONS)


if __name__ == "__main__":
    main()
