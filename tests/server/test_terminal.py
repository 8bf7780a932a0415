"""The service at a terminal: lines for people, and a quiet end."""

import json
from pathlib import Path

import pytest

from tests.server.terminal import terminal

BAD_ROLL = b'{"roll": [7]}'


def test_terminal_gets_three_lines_and_a_quiet_end(tmp_path: Path) -> None:
    with terminal(tmp_path) as service:
        service.wait_for("Stop with Ctrl-C.")
        at = f"http://localhost:{service.port}"
        assert service.ask("GET", "/livez").status == 200
        assert service.interrupt() == 0
        lines = service.lines()
    assert len(lines) == 3, "\n".join(lines)
    where, sessions, stop = lines
    assert where == f"Open {at}/ to try it, {at}/table to play, {at}/docs for the contract."
    assert sessions.startswith("Sessions are kept by ")
    assert sessions.endswith(f" in {tmp_path}/sessions.")
    assert stop == "Stop with Ctrl-C."
    # The Redis of the sessions ended by itself.
    assert "bye bye" in (tmp_path / "sessions" / "server.log").read_text()


def test_terminal_shows_a_refusal_in_words(tmp_path: Path) -> None:
    with terminal(tmp_path, REDIS_URL="redis://user:secret@127.0.0.1:1") as service:
        service.wait_for("Stop with Ctrl-C.")
        assert service.ask("POST", "/v1/tutto/adjudications", BAD_ROLL).status == 400
        service.wait_for("status=400")
        lines = service.lines()
    assert "Sessions are kept in Redis at 127.0.0.1:1." in lines
    [line] = [line for line in lines if "status=400" in line]
    assert " info: request " in line
    assert "route=/v1/<game>/adjudications" in line or "route=/v1/tutto/adjudications" in line


@pytest.mark.parametrize(("is_terminal", "form"), [(False, ""), (True, "json")])
def test_log_outside_a_terminal_is_json_to_the_end(
    tmp_path: Path, is_terminal: bool, form: str
) -> None:
    with terminal(tmp_path, is_terminal=is_terminal, LOG_FORMAT=form) as service:
        service.wait_for("Booting worker")
        wait = service.ask("GET", "/livez")
        assert wait.status == 200
        assert service.interrupt() == 0
        lines = [json.loads(line) for line in service.lines()]
    assert all(line["level"] == "info" for line in lines), lines
    assert any(line["event"].startswith("sessions: kept by ") for line in lines)


def test_text_can_be_chosen_without_a_terminal(tmp_path: Path) -> None:
    with terminal(tmp_path, is_terminal=False, LOG_FORMAT="text") as service:
        service.wait_for("Stop with Ctrl-C.")
        assert len(service.lines()) == 3


def test_second_service_names_the_directory_once(tmp_path: Path) -> None:
    with terminal(tmp_path) as first:
        first.wait_for("Stop with Ctrl-C.")
        with terminal(tmp_path) as second:
            second.wait_for("Stop with Ctrl-C.")
            warning, *rest = second.lines()
            refused = second.ask("POST", "/v1/sessions", b'{"game": "tutto"}')
    assert "set VAR_DIR" in warning
    assert rest[1] == "Sessions are switched off; everything else works."
    detail = "Sessions are switched off on this server; everything else works."
    assert refused.status == 503
    assert json.loads(refused.body)["detail"] == detail
