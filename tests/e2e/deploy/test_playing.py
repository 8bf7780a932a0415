"""Whole games through the deployed nginx, gunicorn and Redis."""

import json
from random import Random
from typing import Any

from tests.application import encoded
from tests.engines.stack import Stack
from tests.sessions.player import BEGINNINGS, choose
from tests.wire import STREAM, Line, Wire, begin, request


def frames(wire: Wire, number: int) -> list[dict[str, Any]]:
    """Returns the next entries of a stream."""
    events: list[dict[str, Any]] = []
    while len(events) < number:
        line = wire.file.readline()
        assert line, "the stream has ended"
        if line.startswith(b'data: {"version"'):
            events.append(json.loads(line[5:]))
    return events


def play(service: Line) -> None:
    """Plays a whole game of Tutto, follows it by a stream, audits it and verifies its dice."""
    table = begin(service, **BEGINNINGS["tutto"])
    state = table.state
    accepted: list[dict[str, Any]] = []
    with service.wire() as follower:
        follower.send(request("GET", f"{table.at}/events?after=0", None, STREAM))
        random = Random(7)
        while state["status"] == "running":
            token, key = table.seats[state["player"]], f"Idempotency-Key: {len(accepted)}"
            answer = table.change("events", choose(state, random), token, key)
            accepted.append(answer["entry"])
            # The stream sends an event at once instead of buffering it.
            if len(accepted) == 1:
                assert frames(follower, 1) == accepted
            state = answer["session"]
        assert frames(follower, len(accepted) - 1) == accepted[1:]
    record = table.read("/game")
    audit = json.loads(service.ask("POST", "/v1/tutto/audits", encoded(record)).body)
    assert audit["legal"], audit
    claim = {"game": "tutto", "record": record, "fairness": state["fairness"]}
    assert json.loads(service.ask("POST", "/v1/fairness/verify", encoded(claim)).body)["fair"]


def test_game_of_tutto_is_played_followed_and_audited(stack: Stack) -> None:
    play(stack)


def test_poll_waits_for_the_next_move(stack: Stack) -> None:
    table = begin(stack, game="pot")
    with stack.wire() as poll:
        poll.send(request("GET", f"{table.at}/events?after=0&wait=20"))
        moved = table.change("events", choose(table.state, Random(1)), table.seats[0])
        assert json.loads(poll.reply().body)["events"] == [moved["entry"]]
