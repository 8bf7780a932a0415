"""Secrets of a session: sent once, absent from later answers, Redis and the log."""

import json
from typing import Any

from tests.engines.servers import ENGINES, Single
from tests.unlimited import NO_RATES
from tests.wire import Server, begin, serving


def read(server: Server, path: str) -> bytes:
    return server.ask("GET", path).body


def test_secrets_are_sent_once_and_stored_as_hashes() -> None:
    limits: dict[str, Any] = {"LOG_ANSWERS": 1} | NO_RATES
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, **limits) as server:
        table = begin(server)
        at, secrets = table.at, [table.host, *table.seats]
        table.change("events", {"type": "draw"}, secrets[1], f"Idempotency-Key: {secrets[1][:9]}")
        name = f"referee:{{{table.id}}}"
        document = redis.ask("HGET", name, "doc")
        session = json.loads(document)
        entries = str(redis.ask("XRANGE", f"{name}:log", "-", "+"))
        responses = "".join(read(server, at + path).decode() for path in ("", "/events", "/game"))
        for text in (responses, document.decode(), entries, server.log()):
            assert not [secret for secret in secrets if secret in text]
        for hidden in (session["seed"], session["host"], *session["seats"], '"hidden"', '"deck"'):
            assert hidden not in responses
