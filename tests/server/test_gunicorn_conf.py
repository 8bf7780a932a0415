"""gunicorn's configuration: its messages about invalid settings and a taken port."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest

from dice_referee.settings import CONSTANTS, Settings
from tests.engines.servers import wait_until
from tests.programs import ROOT, SOURCES, program
from tests.telemetry.scraping import watched

CONF = "python:dice_referee.server.gunicorn_conf"


def checked(**environment: str) -> subprocess.CompletedProcess[str]:
    """Makes gunicorn check its configuration without serving."""
    return subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", CONF, "--check-config"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(SOURCES), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "abc"),
        ("HOSTS", "http://a"),
        ("LOG_FORMAT", "xml"),
        ("METRICS_BIND", "9464"),
        ("REDIS_URL", "http://:secret@h"),
        ("SESSION_ORIGINS", "http://example.org/,example.net, https://Example.com"),
        ("TRUSTED_PROXIES", "foo"),
    ],
)
def test_invalid_setting_ends_the_start_with_one_line(name: str, text: str) -> None:
    ended = checked(**{name: text})
    assert ended.returncode == 1
    [line] = ended.stderr.strip().splitlines()
    assert line.startswith(f"Error: {name} ")
    assert "secret" not in line


def test_removed_setting_is_logged_in_one_line() -> None:
    ended = checked(THREADS="many", REDIS_URL="redis://127.0.0.1:1")
    assert ended.returncode == 0
    [line] = ended.stderr.splitlines()
    assert json.loads(line)["event"] == "THREADS is no longer a setting; it is 8"


def started(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command, which ends by itself."""
    known = {name: text for name, text in os.environ.items() if name != "MAKELEVEL"}
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=ROOT,
        env={**known, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "environment", "suggestion"),
    [
        ("serve", {"MAKELEVEL": "1"}, "make run PORT={}"),
        ("serve", {}, "dice-referee serve --port {}"),
        ("play", {"MAKELEVEL": "1", "HOST": "0.0.0.0"}, "make play PORT={}"),
    ],
)
def test_taken_port_is_one_line_that_suggests_a_free_port(
    command: str, environment: dict[str, str], suggestion: str
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        ended = started(command, "--port", str(port), **environment)
    assert (ended.returncode, ended.stdout) == (2, "")
    pattern = re.escape(f"Port {port} is taken. Try: {suggestion}\n").replace(r"\{\}", r"(\d+)")
    line = re.fullmatch(pattern, ended.stderr)
    assert line, ended.stderr
    socket.create_server(("0.0.0.0", int(line[1]))).close()


def test_checked_settings_start_the_same_service(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        url = "redis+sentinel://user:secret@127.0.0.1:1,[::1]:2/main/0?sentinel_password=secret"
        settings = {"REDIS_URL": url, "STREAMS": "9", "LOG_ANSWERS": "1", "VAR_DIR": str(tmp_path)}
        ended = started("serve", "--check", "--port", port, THREADS="9", **settings)
    assert (ended.returncode, ended.stderr) == (0, "")
    *lines, notice, redis = ended.stdout.splitlines()
    assert notice == "# THREADS is no longer a setting; it is 8"
    assert redis.startswith("# Redis at 127.0.0.1:1, [::1]:2: no answer")
    printed = dict(line.split("=", 1) for line in lines)
    names = {field.name.upper() for field in fields(Settings)} - CONSTANTS
    assert printed.keys() == names
    expected = Settings.read({**settings, "PORT": port})
    masked = "redis+sentinel://***@127.0.0.1:1,[::1]:2/main/0?***"
    assert Settings.read(printed) == replace(expected, redis_url=masked)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "text"), [("PORT", "abc"), ("REDIS_URL", "http://:secret@h"), ("HOSTS", "http://a")]
)
def test_check_reports_an_invalid_setting_in_one_line(name: str, text: str) -> None:
    ended = started("serve", "--check", **{name: text})
    assert (ended.returncode, ended.stdout) == (2, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith(f"{name} ")
    assert "secret" not in line


def test_usr2_is_refused_with_one_line_each_time() -> None:
    with watched(WORKERS=1) as inside:
        server, pid = inside.server, inside.server.process.pid

        def has_refused(number: int) -> bool:
            return server.log().count("USR2 is not supported") == number

        def is_alone() -> bool:
            # The master handles the next signal after it has reaped the process of the last signal.
            children = Path(program("/proc")) / f"{pid}/task/{pid}/children"
            return len(children.read_text().split()) < 3

        for number in (1, 2):
            server.process.send_signal(signal.SIGUSR2)
            wait_until("the signal is refused", partial(has_refused, number))
            wait_until("the process has ended", is_alone)
        assert inside.ask("/metrics").status == 200
        assert server.ask("GET", "/readyz").body == b'{"status":"ok","sessions":"ok"}'
        logged = server.stop()
    assert server.process.returncode == 0
    assert "Traceback" not in logged
    assert "ImportError" not in logged


def test_unavailable_address_is_one_line() -> None:
    ended = started("serve", "--host", "192.0.2.1")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith("Nothing can listen at 192.0.2.1, port 8000: ")


def test_command_without_packages_names_make_run() -> None:
    command = [sys.executable, "-S", "-m", "service"]
    for arguments in ([], ["serve"], ["play"], ["check", "http://localhost"]):
        ended = subprocess.run(
            [*command, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
        )
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
        assert "make run" in ended.stderr
