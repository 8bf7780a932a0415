"""Clients change the same session at once, through several workers: nothing is lost or doubled."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest

from tests.application import Reply, encoded
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


Sent = tuple[str, str, Any, str]
"""Method, part of the session, body and token of a change."""


def send(table: Table, fields: list[str], sent: Sent) -> Reply:
    method, part, body, token = sent
    bearer = f"Authorization: Bearer {token}"
    return table.server.ask(method, f"{table.at}/{part}", encoded(body), bearer, *fields)


def race(table: Table, *changes: Sent, match: bool = False) -> Any:
    """Sends changes at once, and returns the document of the only one that is accepted."""
    version = table.read()["version"]
    fields = [f'If-Match: "{version}"'] if match else []
    with ThreadPoolExecutor(len(changes)) as pool:
        replies = [*pool.map(partial(send, table, fields), changes)]
    accepted = [json.loads(reply.body) for reply in replies if reply.status == 200]
    assert len(accepted) == 1, replies
    assert {reply.status for reply in replies} <= {200, 401, 403, 409, 412}
    log = table.read(f"/events?after={version}")["events"]
    assert [entry for entry in log if entry["by"] != "bot"] == [accepted[0]["entry"]]
    assert table.read() == accepted[0]["session"]
    return accepted[0]


def test_first_of_concurrent_changes_of_seats_wins(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=3) as server:
        players = ["Ada", "Ben", "Cleo"]
        table = begin(server, game="yatzee", players=players, dice="service")
        for seat in (0, 1, 2, 0):
            own, part = table.seats[seat], f"seats/{seat}/bot"
            leave: Sent = ("POST", part, {"level": "careful"}, own)
            replace: Sent = ("POST", part, {"level": "careful"}, table.host)
            race(table, leave, replace, leave, replace)
            back: Sent = ("DELETE", part, {}, own)
            race(table, back, ("DELETE", part, {}, table.host), back)
            host = table.read()["host_seat"]
            others = [other for other in range(3) if other != host]
            hosted = race(table, *[("POST", "host", {"seat": to}, table.host) for to in others])
            table = table._replace(host=table.seats[hosted["session"]["host_seat"]])
            player = table.read()["player"]
            roll: Sent = ("POST", "events", {"type": "roll", "held": []}, table.seats[player])
            give: Sent = ("POST", f"seats/{player}/bot", {"level": "bold"}, table.host)
            given = race(table, roll, give, roll, give, match=True)["session"]["bots"]
            for bot in given:
                race(table, ("DELETE", f"seats/{bot['seat']}/bot", {}, table.host))
        race(table, ("POST", "abandon", {}, table.host), ("POST", "abandon", {}, table.host))
        rematch: list[Sent] = [("POST", "rematch", {}, token) for token in table.seats]
        entry = race(table, *rematch, *rematch)["entry"]
        second = table._replace(at=f"/v1/sessions/{entry['event']['session']}")
        assert (second.read()["version"], second.read()["starter"]) == (0, 1)
        record = server.ask("GET", f"{table.at}/game").body
        audit = json.loads(server.ask("POST", "/v1/yatzee/audits", record).body)
        assert audit["legal"], audit["first_illegal"]
