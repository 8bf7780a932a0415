"""Measuring targets of the Makefile: each starts, does a short round and ends well.

``make test-long`` runs ``bench-check`` by itself.
"""

import os
import re
import subprocess
from typing import NamedTuple

import pytest

from tests.bench import dearest_cases
from tests.bench.dearest import QUICK, priced_service
from tests.programs import ROOT, SEARCHED, program


class Round(NamedTuple):
    """Arguments of make for the shortest round, and the last line that the target prints."""

    arguments: tuple[str, ...]
    closing: str
    programs: tuple[str, ...] = ()


QUICK_BENCH = ("BENCH=--quick",)
ROUNDS = {
    # The second half of the simulation has no smaller size. Its tests are only collected.
    "simulation": Round(
        ("SIMULATION=--quick", "PYTEST_ADDOPTS=--collect-only"), r"\d+/\d+ tests collected"
    ),
    "soak": Round(
        ("SOAK=--seconds 20 --fuzz 3000",),
        r"# \d+ s; all is well",
        ("nginx",),
    ),
    "bench": Round(QUICK_BENCH, r"(met|MISSED) +start to first answer, against", ("wrk", "node")),
    "bench-dearest": Round(QUICK_BENCH, r"p99 beside dear requests .*: [\d.]+ \(at most 3.0\)"),
    "bench-scale": Round(
        QUICK_BENCH, "A session with 170 events and their keys takes", ("wrk", "nginx")
    ),
    "bench-sessions": Round(QUICK_BENCH, "(met|MISSED) +MB of the longest log with keys"),
}
EXCLUDED = {"bench-check", "mutants"}
"""A step of ``make test-long``, and a target whose smallest round takes half an hour."""


@pytest.mark.long
@pytest.mark.parametrize("target", ROUNDS)
def test_target_runs_a_short_round(target: str) -> None:
    arguments, closing, programs = ROUNDS[target]
    for name in programs:
        program(name)
    done = subprocess.run(
        ["make", "--no-print-directory", target, *arguments],
        cwd=ROOT,
        env={**os.environ, "PATH": SEARCHED},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
    *_, last = filter(None, done.stdout.splitlines())
    assert re.match(closing, last), done.stdout[-3000:]


def test_every_measuring_target_has_a_short_round() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    measures = re.findall("^([a-z-]+):.*## measure: ", makefile, re.MULTILINE)
    assert set(measures) == ROUNDS.keys() | EXCLUDED


def test_bench_dearest_has_a_case_for_every_route(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dearest_cases, "LOG", 3)
    with priced_service(QUICK) as bench:
        for case in bench.cases():
            bench.match(case)
        assert not bench.uncovered
