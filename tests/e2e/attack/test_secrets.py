"""Secrets of a session: sent once, absent from later answers, Redis and the log."""

import json
from typing import Any

from tests.engines.servers import ENGINES, Single
from tests.unlimited import NO_RATES
from tests.wire import Server, serving

BEGINNING = b'{"game":"tutto","players":["Ann","Ben"]}'


def read(server: Server, path: str) -> bytes:
    return server.ask("GET", path).body


def test_secrets_are_shown_once_and_kept_as_hashes() -> None:
    limits: dict[str, Any] = {"LOG_ANSWERS": 1} | NO_RATES
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, **limits) as server:
        reply = server.ask("POST", "/v1/sessions", BEGINNING)
        creation, at = json.loads(reply.body), reply.headers["location"]
        secrets = [creation["host_token"], *creation["seat_tokens"]]
        seat = f"Authorization: Bearer {secrets[1]}"
        key = f"Idempotency-Key: {secrets[1][:9]}"
        assert server.ask("POST", f"{at}/events", b'{"type":"draw"}', seat, key).status == 200
        name = f"referee:{{{creation['session']['id']}}}"
        document = redis.ask("HGET", name, "doc")
        session = json.loads(document)
        entries = str(redis.ask("XRANGE", f"{name}:log", "-", "+"))
        responses = "".join(read(server, at + path).decode() for path in ("", "/events", "/game"))
        for text in (responses, document.decode(), entries, server.log()):
            assert not [secret for secret in secrets if secret in text]
        for hidden in (session["seed"], session["host"], *session["seats"], '"hidden"', '"deck"'):
            assert hidden not in responses
