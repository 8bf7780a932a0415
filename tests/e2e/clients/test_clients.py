"""Clients generated from the contract compile and receive the right verdicts.

Each language has the same three programs. The first plays a turn and a session with the client's
dice. The second plays whole games with and without a session, each confirmed by the audit. The
third plays a session of each game through types that narrow.
"""

import re
from pathlib import Path

import pytest

from tests.e2e.clients.building import BUILDERS, HERE, SESSIONS, Built, rows
from tests.e2e.clients.checking import (
    check_sessions,
    check_types,
    check_verdicts,
    check_whole_games,
)
from tests.programs import run

CAST = re.compile(
    r"\bas (?:unknown|any|[A-Z]\w+[;,)])|: any\b|@ts-(?!expect-error)|\bcast\(|type: ignore"
    r"|\(\([A-Z]\w+\)|convertValue|from_dict|interface\{\}|encoding/json|\) any\b"
)
"""Casts and other type escapes of all languages, and trips through JSON."""
SOONER = "openapi-typescript"
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
    return BUILDERS[request.param](tmp_path_factory.mktemp("client"), served)


def test_client_gets_the_verdicts(client: Built, address: str) -> None:
    check_verdicts(client, address)


def test_client_plays_whole_games_that_pass_the_audit(client: Built, address: str) -> None:
    check_whole_games(client, address)


def test_client_has_only_types_named_in_the_contract(client: Built) -> None:
    check_types(client)


def test_client_plays_each_game_without_a_cast(client: Built, address: str) -> None:
    check_sessions(client.told(client.sessions, address))


@pytest.mark.long
@pytest.mark.parametrize("generator", SESSIONS)
def test_generated_client_plays_each_game_without_a_cast(
    generator: str, tmp_path: Path, address: str, served: Path
) -> None:
    program = SESSIONS[generator](tmp_path, served, address)
    check_sessions(run(*program, address, cwd=tmp_path).stdout)


def test_every_generator_of_the_guide_is_tested() -> None:
    assert rows().keys() == BUILDERS.keys() | SESSIONS.keys()


def test_session_programs_contain_no_cast() -> None:
    programs = [path for path in HERE.rglob("*essions.*") if "package" not in path.parts]
    programs += [*HERE.glob("go/*.go"), *HERE.glob("typescript/chosen.ts")]
    assert len(programs) == len(rows()) + 1
    for path in programs:
        assert not CAST.search(path.read_text("utf-8")), path
