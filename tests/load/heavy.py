"""A hostile address without a pause: ``... -m tests.load.heavy PORT SECONDS KIND [PATH HOST
SEAT]``.

Four connections send bodies that are expensive to read, a kind of ``BODIES``. Of the kind ``log``,
eight connections request results made from the log of a long session: the exported game, the first
answer to a key, and a refused undo. Each connection waits for its answer, or reconnects after a
close. Prints the count of each status.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from threading import Thread
from typing import NamedTuple

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import BATCH, ROLL_JSON
from tests.unlimited import UNLIMITED

ADDRESS = "127.66.6.6"
CONNECTIONS, READERS = 4, 8
PATIENCE = 30.0
LOG = "log"
ENTRIES = 6000
NIETE = (
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [2, 2, 3, 3, 4, 6]},
    {"type": "draw", "card": "stop"},
)
"""Two turns without points, so that the game continues."""
REPEATED_VERSION = ENTRIES // 2
"""Version before a draw."""


Send = Callable[[HTTPConnection], None]


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
    "good positions": batch(*[ROLL_JSON] * 10_000),
}


class LongSession(NamedTuple):
    """Address of a session, and the tokens of its host and its first seat."""

    at: str
    host: str
    seat: str


def long_session(redis_url: str) -> LongSession:
    """Makes a session with a long log, each entry under its own key."""
    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    created = client.post("/v1/sessions", json=body).get_json()
    session = LongSession(
        f"/v1/sessions/{created['session']['id']}", created["host_token"], created["seat_tokens"][0]
    )
    for number, event in enumerate(islice(cycle(NIETE), ENTRIES)):
        answer = client.post(
            f"{session.at}/events", json=event, headers=headers(session.host, number)
        )
        assert answer.status_code == 200, answer.data
    store.close()
    return session


def headers(token: str, key: int | None = None) -> dict[str, str]:
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return sent if key is None else {**sent, "Idempotency-Key": str(key)}


def sent(kind: str, session: list[str]) -> list[Send]:
    """Returns the requests that each connection repeats."""
    if kind != LOG:
        typed, body = {"Content-Type": "application/json"}, BODIES[kind]
        return [lambda line: line.request("POST", BATCH, body, typed)] * CONNECTIONS
    at, host, seat = session
    first, key = json.dumps(NIETE[0]), headers(host, REPEATED_VERSION)
    sends: list[Send] = [
        lambda line: line.request("GET", f"{at}/game"),
        lambda line: line.request("POST", f"{at}/events", first, key),
        lambda line: line.request("POST", f"{at}/undo", "{}", headers(seat)),
    ]
    return list(islice(cycle(sends), READERS))


def repeat(port: int, send: Send, end: float, counts: Counter[str]) -> None:
    """Repeats a request on a connection of the hostile address, until the end."""
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


def main() -> None:
    """Attacks for this many seconds."""
    port, seconds, kind, *session = sys.argv[1:]
    end, counts = time.monotonic() + float(seconds), Counter[str]()
    sends = sent(kind, session)
    clients = [Thread(target=repeat, args=(int(port), send, end, counts)) for send in sends]
    print("begun", flush=True)
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
