"""Memory of sessions: within the guide's bounds, and too little to fill Redis from an address."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import detail
from dice_referee.games import catalogue
from dice_referee.settings import Settings
from tests.application import accepted, begin, refused
from tests.engines.servers import Single
from tests.programs import ROOT
from tests.sessions.player import BEGINNINGS, choose

ENTRIES = 250
LONG_GAMES: dict[str, Any] = {"tutto": {"options": {"target": 1_000_000}}}
"""Options with which a game has as many entries, for games that can."""
GAME_BYTES = 30_000
"""Maximum bytes of a game for three."""
LONGEST_NAMES = [f"{seat}{'🚀' * 39}" for seat in range(10)]
LONGEST_BYTES = 4_000_000
SAMPLE_ENTRIES = 1200
"""Entries of a longest log that are played."""


@pytest.fixture
def bytes_of(server: Single) -> Callable[[str], int]:
    """Returns the memory of all keys of a session."""

    def used(session: str) -> int:
        keys = server.ask("KEYS", f"referee:{{{session}}}*")
        return sum(server.ask("MEMORY", "USAGE", key, "SAMPLES", 0) for key in keys)

    return used


@pytest.mark.parametrize("dice", ["service", "client"])
@pytest.mark.parametrize("game", BEGINNINGS)
def test_game_of_three_takes_at_most_30_kilobytes(
    session_client: FlaskClient, bytes_of: Callable[[str], int], game: str, dice: str
) -> None:
    beginning = {"players": ["Ann", "Ben", "Cleo"], "dice": dice, **LONG_GAMES.get(game, {})}
    table = begin(session_client, game=game, **beginning)
    state, random = table.state, Random(game)
    assert bytes_of(table.id) < 2000
    while state["status"] == "running" and state["version"] < ENTRIES:
        token, once = table.seats[state["player"]], f"{random.getrandbits(128):032x}"
        answer = table.post("events", choose(state, random), token, Idempotency_Key=once)
        state = accepted(answer)["session"]
    assert state["version"] > 100
    assert bytes_of(table.id) < GAME_BYTES


@pytest.mark.long
@pytest.mark.parametrize("undone", [False, True], ids=["played", "undone"])
@pytest.mark.parametrize("game", BEGINNINGS)
def test_longest_log_takes_at_most_4_megabytes(
    session_client: FlaskClient, bytes_of: Callable[[str], int], game: str, undone: bool
) -> None:
    """Ten players with the longest names, seeds and keys, and half of the entries undone."""
    players = LONGEST_NAMES[: catalogue()[game].players[1]]
    dice = "client" if undone else "service"
    beginning = {"players": players, "dice": dice, **LONG_GAMES.get(game, {})}
    table = begin(session_client, game=game, **beginning)
    random, state, empty = Random(game), table.state, bytes_of(table.id)
    for seat in table.seats if dice == "service" else ():
        for _ in range(16):
            sent = {"seed": random.randbytes(32).hex()}
            accepted(table.post("seeds", sent, seat, Idempotency_Key=random.randbytes(64).hex()))
    while state["status"] == "running" and state["version"] < SAMPLE_ENTRIES:
        once = random.randbytes(64).hex()
        answer = table.post("events", choose(state, random), Idempotency_Key=once)
        state = accepted(answer)["session"]
        if undone and state["version"] > SAMPLE_ENTRIES // 3:
            answer = table.post("undo", Idempotency_Key=f"undo {once}"[:128])
            state = accepted(answer)["session"]
    version = state["version"]
    assert (bytes_of(table.id) - empty) / version * Settings().session_events < LONGEST_BYTES


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


@pytest.mark.long
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
