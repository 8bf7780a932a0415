"""gunicorn's configuration: what a setting that cannot be is answered with at the start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


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
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.server.gunicorn_conf"]
    ended = subprocess.run(
        [*command, "--check-config"],
        cwd=ROOT,
        env={**os.environ, name: text},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    [line] = ended.stderr.strip().splitlines()
    assert line.startswith(f"Error: {name} ")
    assert "secret" not in line
