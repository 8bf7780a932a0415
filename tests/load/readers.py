"""One address that reads a long session: ``... -m tests.load.readers PORT SECONDS PATH HOST SEAT``.

Eight connections without a pause ask for what is made from a log: the exported game, the first
answer to a key, an undo that is refused. Prints how often each status came.
"""

import json
import sys
import time
from collections import Counter
from functools import partial
from http.client import HTTPConnection
from itertools import cycle, islice
from threading import Thread
from typing import NamedTuple

from service.app import create_app
from service.sessions.redis.store import RedisStore
from tests.load.heavy import PATIENCE, attack, repeat
from tests.unlimited import UNLIMITED

CONNECTIONS = 8
ENTRIES = 6000
PAUSE = 0.15
"""Seconds between two requests of somebody else."""
NIETE = (
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [2, 2, 3, 3, 4, 6]},
    {"type": "draw", "card": "stop"},
)
"""Two turns that bring nothing, so that the game goes on."""
ASKED_AGAIN = ENTRIES // 2
"""A draw; its version is one more."""


class LongSession(NamedTuple):
    """Where a session is, and the tokens of its host and its first seat."""

    at: str
    host: str
    seat: str


def long_session(redis_url: str) -> LongSession:
    """A session with a long log, each entry under a key of its own."""
    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    made = client.post("/v1/sessions", json=body).get_json()
    found = LongSession(
        f"/v1/sessions/{made['session']['id']}", made["host_token"], made["seat_tokens"][0]
    )
    for number, event in enumerate(islice(cycle(NIETE), ENTRIES)):
        answer = client.post(f"{found.at}/events", json=event, headers=_headers(found.host, number))
        assert answer.status_code == 200, answer.data
    store.close()
    return found


def _headers(token: str, key: int | None = None) -> dict[str, str]:
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return sent if key is None else {**sent, "Idempotency-Key": str(key)}


def read_log(port: int, number: int, long: LongSession, end: float, counts: Counter[str]) -> None:
    """One connection, until the end."""

    def send(line: HTTPConnection) -> None:
        match number % 3:
            case 0:
                line.request("GET", f"{long.at}/game")
            case 1:
                path, headers = f"{long.at}/events", _headers(long.host, ASKED_AGAIN)
                line.request("POST", path, json.dumps(NIETE[0]), headers)
            case _:
                line.request("POST", f"{long.at}/undo", "{}", _headers(long.seat))

    repeat(port, send, end, counts)


def others(port: int, seconds: float) -> tuple[list[float], Counter[str]]:
    """What four others wait for the state of a session of their own: milliseconds, and statuses."""
    waits, counts = list[float](), Counter[str]()
    end = time.monotonic() + seconds

    def watch(number: int) -> None:
        line = HTTPConnection("127.0.0.1", port, PATIENCE, (f"127.8.{number}.1", 0))
        body = json.dumps({"game": "tutto", "players": ["Ann", "Ben"]})
        line.request("POST", "/v1/sessions", body, {"Content-Type": "application/json"})
        at = json.loads(line.getresponse().read())["session"]["id"]
        while time.monotonic() < end:
            started = time.perf_counter()
            line.request("GET", f"/v1/sessions/{at}")
            answer = line.getresponse()
            answer.read()
            waits.append((time.perf_counter() - started) * 1000)
            counts[str(answer.status)] += 1
            time.sleep(PAUSE)
        line.close()

    people = [Thread(target=watch, args=(number,)) for number in range(4)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    return waits, counts


def main() -> None:
    """Read for so many seconds."""
    port, end = int(sys.argv[1]), time.monotonic() + float(sys.argv[2])
    long = LongSession(*sys.argv[3:6])
    attack([partial(read_log, port, number, long, end) for number in range(CONNECTIONS)])


if __name__ == "__main__":
    main()
