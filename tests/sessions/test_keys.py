"""Idempotency keys: a repeated change gets its first answer, byte for byte, and happens once."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from secrets import token_bytes
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.sessions import keys
from dice_referee.sessions.keys import OF_AUTHOR, RECORDS, Key, Versions
from dice_referee.sessions.redis.store import RedisStore
from tests.application import SessionClient, accepted, begin, refused
from tests.engines.servers import Single
from tests.sessions.conftest import PATIENT_MS
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

CHANGES = 170


class Sent(NamedTuple):
    """A change with a key."""

    path: str
    body: Any
    token: str
    key: str
    method: str = "POST"

    def send(self, table: SessionClient) -> TestResponse:
        fields = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": self.key}
        path = f"{table.at}/{self.path}"
        return table.client.open(path, method=self.method, json=self.body, headers=fields)


class Made(NamedTuple):
    """An accepted change and its first answer."""

    sent: Sent
    first: TestResponse


def changes(table: SessionClient, random: Random, end: str) -> Iterator[Made | None]:
    """Plays a whole game with undos, substitutes and seeds, and yields each change.

    Yields None for a change without a key, or a refused change.
    """
    state, number = table.state, 0
    served = state["dice"] == "service"

    def send(path: str, body: Any, token: str, method: str = "POST") -> Made | None:
        nonlocal state, number
        number += 1
        sent = Sent(path, body, token, f"key {number}", method)
        answer = sent.send(table)
        if answer.status_code != 200:
            return None
        state = json.loads(answer.data)["session"]
        return Made(sent, answer)

    for seat, token in enumerate(table.seats * 2 if served else ()):
        yield send("seeds", {"seed": f"{seat} {random.random()}"}, token)
    while state["status"] == "running" and state["version"] < CHANGES:
        chance, person = random.random(), random.randrange(len(table.seats))
        if chance < 0.1:
            yield send("undo", {}, table.host)
        elif chance < 0.15 and served:
            yield send(f"seats/{person}/bot", {"level": "careful"}, table.host)
        elif chance < 0.25 and served and state["bots"]:
            seat = state["bots"][0]["seat"]
            yield send(f"seats/{seat}/bot", None, table.host, "DELETE")
        elif chance < 0.3:
            table.seats[0] = accepted(table.post("seats/0/token"))["seat_token"]
            yield None
        elif chance < 0.4:
            state = accepted(table.post("events", choose(state, random)))["session"]
            yield None
        else:
            token = table.host if person == 0 else table.seats[state["player"]]
            yield send("events", choose(state, random), token)
    if state["status"] == "running" or end == "abandon":
        yield send("abandon", {}, table.host)
    yield send("rematch", {}, table.host)


@pytest.mark.parametrize("end", ["abandon", "play on"])
@pytest.mark.parametrize("dice", ["service", "client"])
@pytest.mark.parametrize("game", sorted(BEGINNINGS))
def test_repeats_get_the_first_answer_byte_for_byte(
    session_client: FlaskClient, game: str, dice: str, end: str
) -> None:
    players = ["Ann", "Ben", "Cleo"]
    bots = [{"seat": 0, "level": "careful"}] if dice == "service" else []
    table = begin(session_client, game=game, players=players, dice=dice, bots=bots)
    random, made = Random(f"{game} {dice} {end}"), list[Made]()
    for number, change in enumerate(changes(table, random, end)):
        made += [change] if change else []
        if number % 41 == 0:
            assert_repeats(table, made)
    assert made[-1].sent.path == "rematch"
    assert_repeats(table, made)


def assert_repeats(table: SessionClient, made: list[Made]) -> None:
    """Repeats the last changes, whose answers are the first, and sends others with their keys."""
    before = table.get().data
    for sent, first in made[-RECORDS:]:
        if sent.token in (table.host, *table.seats):
            again = sent.send(table)
            assert again.data == first.data, sent
            assert again.headers["ETag"] == first.headers["ETag"]
            other = sent._replace(path="seeds", body={"seed": "another"}, method="POST")
            refused(other.send(table), "idempotency-key-reused", 422)
    assert table.get().data == before


def test_keys_repeat_across_workers_without_a_second_event(server: Single) -> None:
    stores = [RedisStore(server.unix_url, PATIENT_MS) for _ in range(2)]
    first, second = (create_app(UNLIMITED, store).test_client() for store in stores)
    table = begin(first, players=["Ann", "Ben", "Cleo"], dice="client", options={"target": 10**6})
    random, state, made = Random(1), table.state, list[Made]()
    for number in range(2 * RECORDS):
        body, key = choose(state, random), f"key {number}"
        answer = table.post("events", body, Idempotency_Key=key)
        made.append(Made(Sent("events", body, table.host, key), answer))
        state = accepted(answer)["session"]
        other = table._replace(client=second)
        for sent, first_answer in (made[-1], made[-RECORDS:][0]):
            assert sent.send(other).data == first_answer.data
            reused = sent._replace(body={"type": "draw", "card": "firework"})
            refused(reused.send(other), "idempotency-key-reused", 422)
    assert state["version"] == 2 * RECORDS
    for store in stores:
        store.close()


def test_last_keys_of_a_seat_outlast_64_changes_of_others(session_client: FlaskClient) -> None:
    table = begin(session_client, dice="client", options={"target": 10**6})
    random, state, ben = Random(2), table.state, list[Made]()
    while len(ben) < OF_AUTHOR + 1:
        body, token = choose(state, random), table.seats[state["player"]]
        answer = table.post("events", body, token, Idempotency_Key=f"{state['version']}")
        if state["player"] == 1:
            ben.append(Made(Sent("events", body, token, f"{state['version']}"), answer))
        state = accepted(answer)["session"]
    for _ in range(RECORDS):
        answer = table.post("events", choose(state, random), Idempotency_Key=f"{state['version']}")
        state = accepted(answer)["session"]
    for sent, first in ben[1:]:
        assert sent.send(table).data == first.data
    # An expired key is like a new key.
    again = ben[0].sent.send(table)
    assert again.data != ben[0].first.data
    assert json.loads(table.get().data)["version"] == state["version"] + (again.status_code == 200)


def test_records_are_the_last_and_the_last_of_each_author() -> None:
    random, records, added = Random(3), b"", list[tuple[Key, Versions]]()
    for number in range(1000):
        # Authors of high numbers are rare.
        author = min(int(random.expovariate(1)), 10)
        made = Key(author, token_bytes(8), token_bytes(8)), Versions(number, number + 1)
        records = keys.add(records, *made)
        added.append(made)
        counts, expected = Counter[int](), list[tuple[Key, Versions]]()
        for place, (key, versions) in enumerate(reversed(added)):
            counts[key.author] += 1
            if place < RECORDS or counts[key.author] <= OF_AUTHOR:
                expected.append((key, versions))
        assert records == b"".join(keys.LAYOUT.pack(*key, *at) for key, at in reversed(expected))
    for key, versions in added:
        found = keys.find(records, key._replace(use=b"other"))
        assert found == ((key, versions) if (key, versions) in expected else None)
    # A name is found only at its own place.
    assert keys.find(records, Key(0, records[5:13], b"")) is None


def test_record_has_some_16_bytes_of_digest() -> None:
    assert keys.LAYOUT.size == 25


def test_longest_records_stay_small() -> None:
    most = max(game.players[1] for game in catalogue().values()) + 1
    assert (RECORDS + OF_AUTHOR * most) * keys.LAYOUT.size < 3000
