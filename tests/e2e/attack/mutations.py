"""Randomly mutated valid requests, reproducible by seed."""

import json
from collections.abc import Callable
from http.client import HTTPConnection
from random import Random
from typing import Any, NamedTuple

from tests.application import ADJUDICATIONS, BATCH

SECRET = "mark_of_a_secret"
"""Marks every place of a secret or a name. No request id can contain it: it has an underscore."""

TARGETS = (
    f"{ADJUDICATIONS}?card=bonus-600&keeps=1,222&roll=15",
    "/v1/yatzee/adjudications?roll=122345&rolls_made=2",
    "/v1/pot/adjudications?roll=3P4&coins=5,5,5&pot=3&bank=40&player=0",
    f"/v1/tutto/rulesets/abacus-2013?{SECRET}=1",
    "/v1/pot/rules/P4.1",
    "/v1",
    f"/v1/sessions/{SECRET}",
    f"/table/{SECRET}",
    "/static/x/shared/dice.js",
    "/problems/not-found",
    "/openapi.json",
    "/version",
    "/readyz",
    "/",
)
BODIES: tuple[tuple[str, Any], ...] = (
    (ADJUDICATIONS, {"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6], "keeps": [[1]], "scores": [0, 5], "player": 1}),
    (BATCH, {"positions": [{"card": "double", "roll": [1, 5]}, {"card": SECRET}, {"card": "clover", "roll": [1, 1, 1, 2, 3, 4]}]}),
    ("/v1/tutto/transitions", {"card": "straight", "roll": [1, 2, 3, 4, 6, 6], "event": {"type": "keep", "dice": [1, 2, 3]}}),
    ("/v1/tutto/audits", {"players": [SECRET, "Ben"], "log": [{"type": "draw", "card": "clover"}, {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]}, {"type": "bank"}]}),
    ("/v1/yatzee/adjudications", {"roll": [1, 2, 2, 3, 4, 5], "rolls_made": 2, "scorecard": {"fives": 15}}),
    ("/v1/yatzee/audits", {"players": [SECRET, "Ben"], "log": [{"type": "roll", "held": [], "dice": [1, 2, 3, 4, 5, 6]}, {"type": "write", "category": "house"}]}),
    ("/v1/pot/adjudications", {"roll": [3, "P", 4], "coins": [5, 5, 5], "pot": 3, "bank": 40, "player": 0, "rolls_made": 1}),
    ("/v1/pot/transitions", {"dice": ["P", "O", "T"], "coins": [5, 5], "pot": 3, "bank": 40, "player": 0, "event": {"type": "accept", "players": [1]}}),
    ("/v1/sessions", {"game": "tutto", "ruleset": "abacus-2013", "options": {"target": 1000}, "players": [SECRET, "Ben"], "dice": "client"}),
    ("/v1/fairness/verify", {"game": "tutto", "record": {"players": ["A", "B"], "log": []}, "fairness": {"seed": SECRET, "seeds": [None, SECRET]}}),
)  # fmt: skip
EVENTS: tuple[Any, ...] = (
    {"type": "draw"}, {"type": "draw", "card": "bonus-300"}, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]}, {"type": "keep", "dice": [1]}, {"type": "bank"},
    {"type": SECRET},
)  # fmt: skip
FIELDS = (
    "Content-Type: application/json", "Content-Type: application/x-ndjson", "Content-Type: text/plain", "Accept: application/json",
    "Accept: */*;q=0", "Accept-Language: de, fr;q=0.5", "Accept-Encoding: gzip", "If-Match: \"1\"", "If-None-Match: W/\"x\", *", "Last-Event-ID: 3",
    "Idempotency-Key: k", f"Idempotency-Key: {SECRET}", f"Authorization: Bearer {SECRET}", f"Cookie: {SECRET}=1", "Origin: http://localhost:1",
    "X-Request-ID: fuzzed", "X-Forwarded-For: 192.0.2.1", f"User-Agent: {SECRET}", "Expect: 100-continue", "Range: bytes=0-1", "Content-Encoding: gzip",
)  # fmt: skip
WORDS = (
    b"\x00", b"\r\n", b"\n", b"\r", b"\r\n\r\n", b" ", b"\t", b":", b";", b",", b"%00", b"%", b"../", b"//", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"{", b"}",
    b"[", b"]", b'"', b"\\u0000", b"\\ud800", b"\\", b"null", b"true", b"-1", b"0", b"1e999", b"NaN", b"Infinity", b"9" * 40, b"1.0", b"1.5", b"2147483648",
    b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Connection: close\r\n", b"HTTP/1.1", b"HTTP/1.0", b"GET ", b"POST ", b"0\r\n\r\n", b"5\r\n",
    b"roll", b"dice", b"P", b"event", b"type", b"players", b"options", b"__proto__", b"x" * 300,
)  # fmt: skip
WAITING_SHARE = 0.005
"""Fraction of the session requests that wait for events."""


Known = list[tuple[str, list[str]]]
"""Paths of sessions, and the secrets of each."""


class Draft(NamedTuple):
    """A request before its serialization."""

    method: str
    target: str
    fields: tuple[str, ...] = ()
    body: bytes | None = None

    @property
    def raw(self) -> bytes:
        lines = [f"{self.method} {self.target} HTTP/1.1", "Host: localhost", *self.fields]
        if self.body is not None:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + (self.body or b"")


def sessions(port: int, number: int) -> Known:
    """Returns the paths of ``number`` new sessions, and the secrets of each."""
    line = HTTPConnection("127.0.0.1", port, timeout=20)
    questions = []
    for _ in range(number):
        body = json.dumps({"game": "tutto", "players": [SECRET, "Ben"], "dice": "client"})
        line.request("POST", "/v1/sessions", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        created = json.loads(answer.read())
        assert answer.status == 201, created
        questions.append(
            (
                f"/v1/sessions/{created['session']['id']}",
                [created["host_token"], *created["seat_tokens"]],
            )
        )
    line.close()
    return questions


class Mutator:
    """An endless supply of valid and randomly mutated requests."""

    def __init__(self, seed: int, known: Known) -> None:
        self._random, self._known = Random(seed), known

    def good(self) -> Draft:
        """Returns a request that is valid, or nearly so."""
        random = self._random
        kind = random.random()
        if kind < 0.3:
            return Draft("GET", random.choice(TARGETS), self._fields())
        if kind < 0.5 and self._known:
            at, secrets = random.choice(self._known)
            claim = f"Authorization: Bearer {random.choice(secrets)}"
            path = random.choice(("", "/events", "/game", "/undo", "/seeds", "/events?after=1"))
            if random.random() < WAITING_SHARE:
                # Each takes a second.
                return Draft("GET", f"{at}/events?wait=1", ("Accept: text/event-stream",))
            if random.random() < 0.4:
                return Draft("GET", at + path, self._fields())
            body = json.dumps(random.choice((*EVENTS, {"seed": SECRET}, {}))).encode()
            return Draft("POST", at + path, (claim, *self._fields()), body)
        target, document = random.choice(BODIES)
        kinds = ("Content-Type: application/json",) if random.random() < 0.8 else ()
        return Draft(
            "POST",
            target,
            (*kinds, *self._fields(not kinds)),
            json.dumps(document).encode("utf-8", "surrogatepass"),
        )

    def framed(self) -> bytes:
        """Returns a request with arbitrary content and correct framing."""
        question, random = self.good(), self._random
        if question.body is not None and random.random() < 0.5:
            question = question._replace(body=self._bytes(question.body))
        if random.random() < 0.3:
            printable = bytes(
                byte if 0x21 <= byte <= 0x7E else 0x25
                for byte in self._bytes(question.target.encode())
            )
            question = question._replace(target="/" + printable.decode().lstrip("/")[:4500])
        if random.random() < 0.1:
            question = question._replace(
                method=random.choice(
                    ("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH", "TRACE", "BREW")
                )
            )
        return question.raw

    def wild(self) -> bytes:
        """Returns bytes, partly from a request."""
        random = self._random
        kind = random.random()
        if kind < 0.1:
            return random.randbytes(random.randrange(1, 400))
        raw = self.good().raw
        if kind < 0.3:
            second = self.good().raw
            return raw[: random.randrange(len(raw))] + second[random.randrange(len(second)) :]
        for _ in range(random.randrange(1, 6)):
            raw = self._bytes(raw)
        return raw

    def _fields(self, typed: bool = False) -> tuple[str, ...]:
        random = self._random
        fields = [random.choice(FIELDS) for _ in range(random.choice((0, 0, 1, 2)))]
        return tuple(field for field in fields if typed or not field.startswith("Content-Type"))

    def _bytes(self, raw: bytes) -> bytes:
        random = self._random
        if not raw:
            return random.choice(WORDS)
        at = random.randrange(len(raw))
        to = min(len(raw), at + random.choice((1, 1, 2, 4, 16)))
        change: Callable[[], bytes] = random.choice(
            (
                lambda: raw[:at] + raw[to:],
                lambda: raw[:at] + random.randbytes(to - at) + raw[to:],
                lambda: raw[:at] + random.choice(WORDS) + raw[at:],
                lambda: raw[:at] + random.choice(WORDS) + raw[to:],
                lambda: raw[:at] + bytes([raw[at] ^ (1 << random.randrange(8))]) + raw[at + 1 :],
                lambda: raw[:to] + raw[at:],
                lambda: raw[:at],
            )
        )
        return change()
