"""The client in Go, for ``make client-go`` alone: that installs Go, which is large."""

from pathlib import Path

from tests.e2e.clients.building import go
from tests.e2e.clients.playing import check_types, check_whole_games


def test_a_client_in_go_plays_whole_games_and_the_audit_confirms_them(
    address: str, tmp_path: Path
) -> None:
    client = go(tmp_path)
    check_types(client)
    check_whole_games(client, address)
