"""Eight clients change the same session through several workers. No event is lost or doubled."""

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from tests.sessions.player import BEGINNINGS, choose
from tests.wire import Table, begin, serving

CLIENTS = 8
ROUNDS = 30


def play(table: Table, number: int) -> list[dict[str, Any]]:
    """Plays as a client. Returns the accepted events."""
    random, accepted = Random(number), []
    for turn in range(ROUNDS):
        state = table.read()
        if not state["legal_events"]:
            break
        event, fields = choose(state, random), list[str]()
        if random.random() < 0.5:
            fields.append(f'If-Match: "{state["version"]}"')
        if keyed := random.random() < 0.5:
            fields.append(f"Idempotency-Key: {number}-{turn}")
        reply = table.post("events", event, "", *fields)
        assert reply.status in (200, 409, 412), reply
        if reply.status == 200:
            accepted.append(json.loads(reply.body)["entry"])
            if keyed:
                repeat = table.post("events", event, "", *fields)
                assert (repeat.status, repeat.body) == (200, reply.body)
    return accepted


@pytest.mark.parametrize("dice", ["service", "client"])
def test_concurrent_clients_log_each_accepted_event_once(redis_url: str, dice: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=3) as server:
        players = BEGINNINGS["tutto"]["players"]
        table = begin(server, dice=dice, players=players, options={"target": 50000})
        with ThreadPoolExecutor(CLIENTS) as pool:
            clients = [pool.submit(play, table, number) for number in range(CLIENTS)]
            accepted = [entry for client in clients for entry in client.result()]
        log = table.read("/events")["events"]
        assert [entry["version"] for entry in log] == list(range(1, len(log) + 1))
        assert sorted(accepted, key=lambda entry: int(entry["version"])) == log
        assert len(log) > CLIENTS
        record = server.ask("GET", f"{table.at}/game").body
        audit = json.loads(server.ask("POST", "/v1/tutto/audits", record).body)
        assert audit["legal"], audit["first_illegal"]
