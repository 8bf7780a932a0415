"""Memory of sessions: within the guide's bounds, and too little to fill Redis from an address."""

import re
from itertools import count
from random import Random

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import detail
from dice_referee.games import catalogue
from dice_referee.settings import Settings
from tests.application import accepted, begin, refused
from tests.engines.servers import Single
from tests.programs import ROOT
from tests.sessions.player import BEGINNINGS, choose

ENTRIES = 60


LONGEST_NAMES = [f"{seat}{'🚀' * 39}" for seat in range(10)]
ENTRY, KEY = 400, 700
"""Maximum bytes of an entry, and of its idempotency key."""


@pytest.mark.parametrize("game", BEGINNINGS)
@pytest.mark.parametrize("number", [0, 4, 10])
def test_entry_and_key_stay_within_their_memory_bounds(
    session_client: FlaskClient, server: Single, game: str, number: int
) -> None:
    beginning = BEGINNINGS[game]
    if number:
        names = LONGEST_NAMES[: min(number, catalogue()[game].players[1])]
        beginning = {**beginning, "players": names}
    table = begin(session_client, game=game, **beginning)
    key, state, random = f"referee:{{{table.id}}}", table.state, Random(game)

    def bytes_of(key: str) -> int:
        return int(server.ask("MEMORY", "USAGE", key, "SAMPLES", 0) or 0)

    assert bytes_of(key) < (5000 if number else 2000)
    seeds = [
        table.post("seeds", {"seed": random.randbytes(32).hex()}, seat) for seat in table.seats
    ]
    state, unkeyed = accepted(seeds[-1])["session"], bytes_of(key)
    keys = count()
    while state["status"] == "running" and state["version"] < ENTRIES:
        once = f"{next(keys):036}"
        state = accepted(table.post("events", choose(state, random), Idempotency_Key=once))[
            "session"
        ]
    # Stream nodes have some kilobytes, so that short logs leave more of a node empty.
    assert bytes_of(f"{key}:log") < 4096 + ENTRY * state["version"]
    assert bytes_of(key) - unkeyed < KEY * next(keys)


def test_seat_adds_at_most_16_texts_to_the_seed(session_client: FlaskClient) -> None:
    table = begin(session_client)
    host, guest = table.seats
    for number in range(16):
        sent = {"seed": str(number)}
        accepted(table.post("seeds", sent, host, Idempotency_Key=str(number)))
    problem = refused(table.post("seeds", {"seed": "16"}, host), "seeds-closed", 409)
    assert problem["detail"] == detail("no-more-seeds", "en")
    repeat = accepted(table.post("seeds", {"seed": "3"}, host, Idempotency_Key="3"))
    assert repeat["session"]["fairness"]["seeds"] == ["3", None]
    state = accepted(table.post("seeds", {"seed": "16"}, guest))["session"]
    assert state["fairness"]["seeds"] == ["15", "16"]


MINUTES_OF_DAY = 24 * 60
"""Minutes that an unused session lives."""
SAMPLE = 500


@pytest.mark.parametrize("game", BEGINNINGS)
def test_one_address_cannot_fill_compose_in_a_day(
    session_client: FlaskClient, server: Single, game: str
) -> None:
    compose = (ROOT / "deploy/compose.yaml").read_text("utf-8")
    (megabytes,) = re.findall(r"--maxmemory, (\d+)mb", compose)

    def used_bytes() -> int:
        return int(server.info("memory")["used_memory"])

    begin(session_client, game=game, **BEGINNINGS[game])
    before = used_bytes()
    for _ in range(SAMPLE):
        table = begin(session_client, game=game, **BEGINNINGS[game])
    assert 0 < server.ask("TTL", f"referee:{{{table.id}}}") <= MINUTES_OF_DAY * 60
    size = (used_bytes() - before) / SAMPLE
    held = size * Settings().rate_sessions * MINUTES_OF_DAY
    assert 50e6 < held < 0.8 * int(megabytes) * 2**20
