"""Whole games through the deployed nginx, gunicorn and Redis."""

import json
from random import Random
from typing import Any

from tests.e2e.deploy.stack import Stack
from tests.sessions.player import BEGINNINGS, choose
from tests.wire import Line, Wire, request

STREAM = "Accept: text/event-stream"


def told(service: Line, method: str, target: str, status: int, *more: Any) -> Any:
    reply = service.ask(method, target, *more)
    assert reply.status == status, reply
    return json.loads(reply.body)


def as_json(document: object) -> bytes:
    return json.dumps(document).encode()


def frames(wire: Wire, number: int) -> list[dict[str, Any]]:
    """Returns the next events of a stream."""
    events: list[dict[str, Any]] = []
    while len(events) < number:
        line = wire.file.readline()
        assert line, "the stream has ended"
        if line.startswith(b"data:"):
            events.append(json.loads(line[5:]))
    return events


def play(service: Line) -> None:
    """Plays a whole game of Tutto, follows it by a stream, audits it and verifies its dice."""
    creation = told(
        service, "POST", "/v1/sessions", 201, as_json({"game": "tutto"} | BEGINNINGS["tutto"])
    )
    at, state = f"/v1/sessions/{creation['session']['id']}", creation["session"]
    accepted: list[dict[str, Any]] = []
    with service.wire() as follower:
        follower.send(request("GET", f"{at}/events?after=0", None, STREAM))
        random = Random(7)
        while state["status"] == "running":
            token = creation["seat_tokens"][state["player"]]
            fields = (f"Authorization: Bearer {token}", f"Idempotency-Key: {len(accepted)}")
            event = as_json(choose(state, random))
            answer = told(service, "POST", f"{at}/events", 200, event, *fields)
            accepted.append(answer["accepted"])
            # The stream sends an event at once instead of buffering it.
            if len(accepted) == 1:
                assert frames(follower, 1) == accepted
            state = answer["session"]
        assert frames(follower, len(accepted) - 1) == accepted[1:]
    record = told(service, "GET", f"{at}/game", 200)
    audit = told(service, "POST", "/v1/tutto/games", 200, as_json(record))
    assert audit["legal"], audit
    claim = {"game": "tutto", "record": record, "fairness": state["fairness"]}
    assert told(service, "POST", "/v1/fairness/verify", 200, as_json(claim))["fair"]


def test_a_game_of_tutto_is_played_followed_and_audited(stack: Stack) -> None:
    play(stack)


def test_a_poll_is_held_until_a_player_moves(stack: Stack) -> None:
    creation = told(
        stack, "POST", "/v1/sessions", 201, as_json({"game": "pot", "players": ["Ann", "Ben"]})
    )
    at, token = f"/v1/sessions/{creation['session']['id']}", creation["seat_tokens"][0]
    with stack.wire() as poll:
        poll.send(request("GET", f"{at}/events?after=0&wait=20"))
        event = as_json(choose(creation["session"], Random(1)))
        moved = told(stack, "POST", f"{at}/events", 200, event, f"Authorization: Bearer {token}")
        assert json.loads(poll.reply().body)["events"] == [moved["accepted"]]
