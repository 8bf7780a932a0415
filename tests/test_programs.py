"""Tests that need what a machine lacks are left out loudly, and never where CI runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import LEFT_OUT, ROOT, program

ALERTS = "tests/e2e/deploy/test_alerts.py"


def test_a_program_that_is_here_is_a_path() -> None:
    assert Path(program("sh")).is_absolute()
    assert program(str(ROOT)) == str(ROOT)


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_program_that_is_missing_ends_the_test(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no-such-program"):
        program("no-such-program")


@pytest.mark.parametrize("processes", ["0", "1"])
def test_a_run_says_at_its_start_and_at_its_end_what_it_leaves_out(processes: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", processes, "-k", "prometheus_takes", ALERTS],
        cwd=ROOT,
        env={**os.environ, "PATH": "", "CI": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    start, _, end = done.stdout.partition(" LEFT OUT =")
    assert "promtool: not found, tests that need it are LEFT OUT" in start
    assert "promtool: not found, " in end
    assert LEFT_OUT not in end
