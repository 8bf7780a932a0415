"""``make bench``: the cost of an answer, in ratios that hold within a run.

Run from the project's root: ``python -m tests.bench.bench [--quick] [--json FILE]``. A missed
target is printed as MISSED. A target against the last release that is missed in a full run ends the
program with status 1, as does a contender that does not start or answers wrongly. ``--check``
(``make bench-check``) measures nothing: each contender answers its questions once.
"""

import argparse
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which
from statistics import mean
from typing import Any

import orjson

from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.rulesets import RULESETS
from tests.bench import batch, report
from tests.bench.agreement import Disagreement, check
from tests.bench.contenders import (
    CONTENDERS,
    NODE,
    ODDS,
    PATH,
    TRANSITIONS,
    Arena,
    Contender,
)
from tests.bench.last_release import Comparison
from tests.bench.positions import positions
from tests.bench.process import FailedToStart, PinnedServer, cores
from tests.bench.report import Target
from tests.bench.wrk import AnswersFailed, drive

DIFFERENT = 20_000
"""Number of distinct questions, so that caches of answers do not help."""
CHECKED = 2000
"""Number of answers of each contender to compare."""


@dataclass(frozen=True)
class Plan:
    """Durations of the measurements."""

    rounds: int
    seconds: int


FULL, QUICK = Plan(7, 2), Plan(1, 1)


@dataclass(frozen=True)
class Bench:
    """The questions, the expected answers and the arena of the contenders."""

    questions: tuple[bytes, ...]
    answers: tuple[bytes, ...]
    file: Path
    steps: Path
    """The questions as transitions, each with the first of its legal events."""
    weighed: Path
    """The questions of published rulesets that have odds."""
    arena: Arena
    plan: Plan

    def check(self) -> None:
        """Asks every contender its questions once. Raises Disagreement at a wrong answer."""
        for contender in CONTENDERS:
            with self.arena.serving(contender) as (server, _):
                self._compare(contender, server)

    def _compare(self, contender: Contender, server: PinnedServer) -> None:
        """Compares answers from all over the games. Some contenders only have to answer."""
        step = DIFFERENT // CHECKED
        questions = self._questions_of(contender).read_bytes().splitlines()[::step]
        unjudged = [None] * len(questions)
        answers = self.answers[::step] if contender.judges else unjudged
        check(server, contender.path, questions, answers)

    def requests(self) -> dict[str, list[Any]]:
        """Drives all contenders in turn for several rounds."""
        slices: dict[str, list[Any]] = {contender.name: [] for contender in CONTENDERS}
        with ExitStack() as stack:
            servers: list[PinnedServer] = []
            for contender in CONTENDERS:
                server, _ = stack.enter_context(self.arena.serving(contender))
                servers.append(server)
                self._warm_up(contender, server)
            for number in range(self.plan.rounds):
                skip = number * DIFFERENT // self.plan.rounds
                for server, contender in zip(servers, CONTENDERS, strict=True):
                    file, path = self._questions_of(contender), contender.path
                    slices[server.name].append(drive(server, file, skip, self.plan.seconds, path))
        return slices

    def _warm_up(self, contender: Contender, server: PinnedServer) -> None:
        """Warms up the server: compares its answers, then drives an unmeasured slice."""
        self._compare(contender, server)
        # Node is warm after 7 s.
        seconds = 3 * self.plan.seconds if contender.name == NODE else 1
        drive(server, self._questions_of(contender), 0, seconds, contender.path)

    def _questions_of(self, contender: Contender) -> Path:
        return {TRANSITIONS: self.steps, ODDS: self.weighed}.get(contender.path, self.file)

    def against_last_release(self) -> list[Target]:
        questions = {PATH: self.file, TRANSITIONS: self.steps, ODDS: self.weighed}
        batches = batch.Batches.of(self.questions, 1000)
        comparison = Comparison(self.arena, questions, batches, self.plan.seconds)
        return comparison.targets(self.plan.rounds)


def _event(verdict: dict[str, Any]) -> dict[str, Any]:
    """Returns the first legal keep, or after a Niete an illegal event."""
    keeps = verdict["legal_keeps"]
    return {"type": "keep", "dice": keeps[0]["dice"]} if keeps else {"type": "bank"}


@contextmanager
def bench_of(plan: Plan) -> Iterator[Bench]:
    """Writes the questions to files of a temporary folder, which contenders also use."""
    documents = positions(DIFFERENT)
    questions = tuple(orjson.dumps(document) for document in documents)
    answers = tuple(GAME.adjudicate_all([document])[1] for document in documents)
    size = mean(map(len, answers))
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as name:
        folder = Path(name)
        file, answer = folder / "questions.jsonl", folder / "answer.json"
        file.write_bytes(b"\n".join(questions) + b"\n")
        steps = folder / "transitions.jsonl"
        steps.write_bytes(
            b"".join(
                orjson.dumps(document | {"event": _event(orjson.loads(answer))}) + b"\n"
                for document, answer in zip(documents, answers, strict=True)
            )
        )
        weighed = folder / "odds.jsonl"
        weighed.write_bytes(
            b"".join(
                question + b"\n"
                for document, question, answer in zip(documents, questions, answers, strict=True)
                if "options" not in document and b'"status":"niete"' not in answer
            )
        )
        answer.write_bytes(min(answers, key=lambda text: abs(len(text) - size)))
        environment = {
            "BENCH_ANSWER": str(answer),
            "BENCH_RULESETS": orjson.dumps(
                {
                    name: {"hash": rules.hash, "options": rules.options}
                    for name, rules in RULESETS.items()
                }
            ).decode(),
            # Compiled modules are cached outside the project, as by an installed service.
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        }
        print(f"{len(questions)} different questions; an answer has {size:.0f} bytes on average")
        arena = Arena(folder, questions[0], environment)
        yield Bench(questions, answers, file, steps, weighed, arena, plan)


def check_all() -> None:
    """Checks all contenders without timing. Raises Disagreement at a wrong answer."""
    with bench_of(QUICK) as bench:
        bench.check()
    print(f"{len(CONTENDERS)} contenders give the referee's answers to {CHECKED:,} questions")


def measure_all(plan: Plan) -> dict[str, Any]:
    """Measures and prints everything."""
    server_core, load_core = cores()
    if server_core == load_core:
        print("WARNING: one core only; servers and load take turns on it")
    os.sched_setaffinity(0, {load_core})
    with bench_of(plan) as bench:
        print(interpreter())
        slices = bench.requests()
        print("", *report.request_table(slices), "", sep="\n", flush=True)
        goals = report.request_goals(slices)
        print("Goals", *(goal.line() for goal in goals), "Bars", sep="\n", flush=True)
        bars = bench.against_last_release()
    print(*(bar.line() for bar in bars), sep="\n")
    return report.document(slices, goals, bars, {"plan": asdict(plan), "python": interpreter()})


def interpreter() -> str:
    """Names the interpreter and its compiler, which account for a tenth of every figure."""
    arguments = sysconfig.get_config_var("CONFIG_ARGS") or ""
    compiled = [
        f"{'with' if option in arguments else 'without'} {name}"
        for option, name in (("--enable-optimizations", "PGO"), ("--with-lto", "LTO"))
    ]
    return f"Python {sys.version.split()[0]}, {' and '.join(compiled)} by its configuration"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--check", action="store_true", help="compare the answers, measure nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    arguments = parser.parse_args()
    needed = ("node",) if arguments.check else ("wrk", "node")
    if missing := [tool for tool in needed if which(tool) is None]:
        print(f"needed and not found: {', '.join(missing)}", file=sys.stderr)
        return 1
    try:
        if arguments.check:
            check_all()
            return 0
        result = measure_all(QUICK if arguments.quick else FULL)
    except (FailedToStart, Disagreement, AnswersFailed) as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    if arguments.json:
        arguments.json.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
    # A short round measures nothing reliably.
    return 0 if arguments.quick else int(not all(bar["met"] for bar in result["bars"]))


if __name__ == "__main__":
    sys.exit(main())
