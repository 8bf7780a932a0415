"""The tour of `/` is a script whose commands all work unchanged."""

import json
import subprocess

from tests.wire import serving


def test_every_command_of_the_tour_is_answered(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url) as server:
        here = f"127.0.0.1:{server.port}"
        tour = subprocess.run(
            ["curl", "--silent", "--show-error", here], capture_output=True, check=True, timeout=60
        ).stdout.decode()
        commands = [line for line in tour.splitlines() if not line.startswith("#")]
        assert all(here in command for command in commands)
        quiet = "curl() { command curl -sSf \"$@\"; printf '\\0'; }"
        answers = subprocess.run(
            ["bash", "-ec", "\n".join((quiet, *commands))],
            capture_output=True,
            check=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        ).stdout.decode()
    roll, rule, session, index, contract, rest = answers.split("\0")
    assert rest == ""
    assert "1050" in roll
    assert rule.startswith("T2.5")
    assert len(json.loads(session)["seat_tokens"]) == 2
    assert json.loads(index)["title"] == json.loads(contract)["info"]["title"]
