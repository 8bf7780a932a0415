"""gunicorn's configuration: what settings that cannot be, and a taken port, are answered with."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONF = "python:service.server.gunicorn_conf"


def checked(**environment: str) -> subprocess.CompletedProcess[str]:
    """Has gunicorn read its configuration, and no more."""
    return subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", CONF, "--check-config"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "abc"),
        ("HOSTS", "http://a"),
        ("METRICS_BIND", "9464"),
        ("REDIS_URL", "http://:secret@h"),
        ("SESSION_ORIGINS", "http://example.org/,example.net, https://Example.com"),
        ("TRUSTED_PROXIES", "foo"),
    ],
)
def test_a_setting_that_cannot_be_ends_the_start_with_one_line(name: str, text: str) -> None:
    ended = checked(**{name: text})
    assert ended.returncode == 1
    [line] = ended.stderr.strip().splitlines()
    assert line.startswith(f"Error: {name} ")
    assert "secret" not in line


def test_a_setting_that_became_a_constant_is_one_line() -> None:
    ended = checked(THREADS="many", REDIS_URL="redis://127.0.0.1:1")
    assert ended.returncode == 0
    [line] = ended.stderr.splitlines()
    assert json.loads(line)["event"] == "THREADS is no longer a setting; it is 8"


def test_where_the_port_is_taken_the_last_line_says_what_there_is_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = subprocess.run(
            [sys.executable, "-m", "service", "serve", "--port", str(taken.getsockname()[1])],
            cwd=ROOT,
            env={**os.environ, "REDIS_URL": "redis://127.0.0.1:1"},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert ended.returncode != 0
    last = json.loads(ended.stderr.splitlines()[-1])
    assert last["event"].startswith("Can't connect to ")
    assert "PORT" in last["event"]
