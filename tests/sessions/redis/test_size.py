"""Memory of a session: as the guide says, and growing with its log alone."""

from random import Random

import pytest
from flask.testing import FlaskClient

from tests.application import accepted, begin
from tests.engines.servers import Single
from tests.sessions.player import BEGINNINGS, choose

ENTRIES = 60


@pytest.mark.parametrize("game", BEGINNINGS)
@pytest.mark.parametrize(("keyed", "bound"), [(False, 400), (True, 900)])
def test_an_entry_takes_some_hundred_bytes(
    session_client: FlaskClient, server: Single, game: str, keyed: bool, bound: int
) -> None:
    # Streams grow in nodes of some kilobytes: of a short log more is empty than of a long one.
    table = begin(session_client, game=game, **BEGINNINGS[game])
    key, state, random = f"referee:{{{table.id}}}", table.state, Random(game)

    def taken() -> int:
        log = server.ask("MEMORY", "USAGE", f"{key}:log", "SAMPLES", 0) or 0
        return int(log) + int(server.ask("MEMORY", "USAGE", key, "SAMPLES", 0))

    assert taken() < 2000
    while state["status"] == "running" and state["version"] < ENTRIES:
        headers = {"Idempotency-Key": f"{state['version']:036}"} if keyed else {}
        answer = table.post("events", choose(state, random), **headers)
        state = accepted(answer)["session"]
    assert 2000 < taken() < 2000 + bound * state["version"]
