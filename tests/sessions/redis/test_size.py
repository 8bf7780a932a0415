"""Memory of sessions: as the guide says, and too little for one address to fill Redis."""

import re
from random import Random

import pytest
from dice_referee.settings import Settings
from flask.testing import FlaskClient

from tests.application import accepted, begin
from tests.engines.servers import Single
from tests.programs import ROOT
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


MINUTES_OF_DAY = 24 * 60
"""Minutes that a session lives if nobody uses it."""
SAMPLE = 500


@pytest.mark.parametrize("game", BEGINNINGS)
def test_one_address_does_not_fill_compose_in_a_day(
    session_client: FlaskClient, server: Single, game: str
) -> None:
    compose = (ROOT / "deploy/compose.yaml").read_text("utf-8")
    (megabytes,) = re.findall(r"--maxmemory, (\d+)mb", compose)

    def used() -> int:
        return int(server.info("memory")["used_memory"])

    begin(session_client, game=game, **BEGINNINGS[game])
    before = used()
    for _ in range(SAMPLE):
        table = begin(session_client, game=game, **BEGINNINGS[game])
    assert 0 < server.ask("TTL", f"referee:{{{table.id}}}") <= MINUTES_OF_DAY * 60
    size = (used() - before) / SAMPLE
    held = size * Settings().rate_sessions * MINUTES_OF_DAY
    assert 50e6 < held < 0.8 * int(megabytes) * 2**20
