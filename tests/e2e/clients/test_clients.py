"""Clients generated from the contract compile and receive the right verdicts.

Each language has the same three programs: a turn and a session with the client's dice; whole
games with and without a session, each confirmed by the audit; and a session of each game through
types that narrow.
"""

from pathlib import Path

import pytest

from tests.e2e.clients.building import BUILDERS, Built, hey_api
from tests.e2e.clients.checking import (
    check_sessions,
    check_types,
    check_verdicts,
    check_whole_games,
)
from tests.programs import run

SOONER = "typescript"
"""Client that builds in half the time of the others."""
LANGUAGES = [
    language if language == SOONER else pytest.param(language, marks=pytest.mark.long)
    for language in BUILDERS
]


@pytest.fixture(scope="module", params=LANGUAGES)
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, served: Path
) -> Built:
    """Builds a generated client once for all tests."""
    return BUILDERS[request.param](tmp_path_factory.mktemp(request.param), served)


def test_a_client_gets_the_verdicts(client: Built, address: str) -> None:
    check_verdicts(client, address)


def test_a_client_plays_whole_games_and_the_audit_confirms_them(
    client: Built, address: str
) -> None:
    check_whole_games(client, address)


def test_a_client_has_no_type_but_those_that_the_contract_names(client: Built) -> None:
    check_types(client)


def test_a_client_plays_each_game_without_a_cast(client: Built, address: str) -> None:
    check_sessions(client.told(client.sessions, address))


@pytest.mark.long
def test_hey_api_plays_each_game_without_a_cast(tmp_path: Path, address: str, served: Path) -> None:
    home = hey_api(tmp_path / "client", served)
    check_sessions(run("node", "sessions.js", address, cwd=home).stdout)
