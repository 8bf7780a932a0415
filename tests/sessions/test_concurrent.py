"""Eight clients at one session, through several workers: nothing lost, nothing doubled."""

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from tests.sessions.player import BEGINNINGS, choose
from tests.wire import Server, serving

CLIENTS = 8
ROUNDS = 30


def play(server: Server, at: str, host: str, number: int) -> list[dict[str, Any]]:
    """Plays as one client and returns the accepted events."""
    random, accepted = Random(number), []
    for turn in range(ROUNDS):
        state = json.loads(server.ask("GET", at).body)
        if not state["legal_events"]:
            break
        body = json.dumps(choose(state, random)).encode()
        fields = [f"Authorization: Bearer {host}"]
        if random.random() < 0.5:
            fields.append(f'If-Match: "{state["version"]}"')
        if keyed := random.random() < 0.5:
            fields.append(f"Idempotency-Key: {number}-{turn}")
        reply = server.ask("POST", f"{at}/events", body, *fields)
        assert reply.status in (200, 409, 412), reply
        if reply.status == 200:
            accepted.append(json.loads(reply.body)["accepted"])
            if keyed:
                repeat = server.ask("POST", f"{at}/events", body, *fields)
                assert (repeat.status, repeat.body) == (200, reply.body)
    return accepted


@pytest.mark.parametrize("dice", ["service", "client"])
def test_every_accepted_event_is_in_the_log_once(redis_url: str, dice: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=3) as server:
        setup = {"game": "tutto", "dice": dice, **BEGINNINGS["tutto"], "options": {"target": 50000}}
        created = json.loads(server.ask("POST", "/v1/sessions", json.dumps(setup).encode()).body)
        at = f"/v1/sessions/{created['session']['id']}"
        with ThreadPoolExecutor(CLIENTS) as pool:
            clients = [
                pool.submit(play, server, at, created["host_token"], number)
                for number in range(CLIENTS)
            ]
            accepted = [entry for client in clients for entry in client.result()]
        log = json.loads(server.ask("GET", f"{at}/events").body)["events"]
        assert [entry["version"] for entry in log] == list(range(1, len(log) + 1))
        assert sorted(accepted, key=lambda entry: int(entry["version"])) == log
        assert len(log) > CLIENTS
        record = server.ask("GET", f"{at}/game").body
        audit = json.loads(server.ask("POST", "/v1/tutto/games", record).body)
        assert audit["legal"], audit["first_illegal"]
