"""``make bench``: what an answer costs, in ratios that hold within one run.

Run from the project's root: ``python -m tests.bench.bench [--quick] [--json FILE]``. A missed
target is printed as MISSED. A contender that does not start or answers wrongly is a failure.
``--check`` (``make bench-check``) measures nothing: each contender answers its questions once.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which
from statistics import mean, median
from time import process_time
from typing import Any

import orjson

from dice_referee.games.review import review
from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.rulesets import RULESETS
from tests.bench import batch, report, whole_card
from tests.bench.agreement import Disagreement, check
from tests.bench.contenders import (
    BARE_FLASK_PRELOADED,
    CONTENDERS,
    ODDS,
    SERVICE,
    TRANSITIONS,
    Arena,
    Contender,
)
from tests.bench.positions import positions
from tests.bench.process import FailedToStart, PinnedServer, cores
from tests.bench.report import Target
from tests.bench.wrk import AnswersFailed, drive

DIFFERENT = 20_000
"""Number of questions, all different, so caches of answers do not help."""
CHECKED = 2000
"""Number of each contender's answers to compare."""


@dataclass(frozen=True)
class Plan:
    """Durations of the measurements."""

    rounds: int
    seconds: int
    starts: int
    """Number of starts for memory and for the first answer."""


FULL, QUICK = Plan(7, 2, 3), Plan(1, 1, 1)


@dataclass(frozen=True)
class Bench:
    """The questions, the expected answers and the arena of the contenders."""

    questions: tuple[bytes, ...]
    answers: tuple[bytes, ...]
    file: Path
    steps: Path
    """The questions as transitions: each with the first of its legal events."""
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
        """Checks answers from all over the games; some contenders only have to answer."""
        step = DIFFERENT // CHECKED
        questions = self._questions_of(contender).read_bytes().splitlines()[::step]
        unjudged = [None] * len(questions)
        answers = self.answers[::step] if contender.judges else unjudged
        check(server, contender.path, questions, answers)

    def requests(self) -> dict[str, list[Any]]:
        """Drives all contenders in turn, several rounds."""
        slices: dict[str, list[Any]] = {contender.name: [] for contender in CONTENDERS}
        with ExitStack() as stack:
            servers: list[PinnedServer] = []
            for contender in CONTENDERS:
                server, _ = stack.enter_context(self.arena.serving(contender))
                servers.append(server)
                self._acquaint(contender, server)
            for number in range(self.plan.rounds):
                skip = number * DIFFERENT // self.plan.rounds
                for server, contender in zip(servers, CONTENDERS, strict=True):
                    file, path = self._questions_of(contender), contender.path
                    slices[server.name].append(drive(server, file, skip, self.plan.seconds, path))
        return slices

    def _acquaint(self, contender: Contender, server: PinnedServer) -> None:
        """Warms the server: compares its answers, then drives a slice that does not count."""
        self._compare(contender, server)
        drive(server, self._questions_of(contender), 0, 1, contender.path)

    def _questions_of(self, contender: Contender) -> Path:
        return {TRANSITIONS: self.steps, ODDS: self.weighed}.get(contender.path, self.file)

    def batches(self) -> list[batch.BatchResult]:
        with self.arena.serving(_named(SERVICE)) as (server, _):
            return [
                batch.measure(
                    server,
                    batch.Batches.of(self.questions, self.answers, size),
                    self.plan.rounds,
                )
                for size in (1000, 10_000)
            ]

    def private_bytes(self, contender: Contender) -> float:
        """Returns the median private memory of one of two warm workers, over several starts."""
        sizes = []
        for _ in range(self.plan.starts):
            with self.arena.serving(contender, workers=2) as (server, _):
                drive(server, self.file, 0, 2)
                sizes.append(server.private_bytes())
        return median(sizes)

    def first_answer(self) -> float:
        """Returns seconds from the start of the service to its first answer."""
        times = []
        for _ in range(self.plan.starts):
            with self.arena.serving(_named(SERVICE)) as (_, seconds):
                times.append(seconds)
        return median(times)


def reviews_per_second(events: int = 1000) -> float:
    """Reviews of a log of so many events a CPU second, in this process."""
    log: list[dict[str, Any]] = []
    while len(log) < events:
        log += [
            {"type": "draw", "card": "bonus-300"},
            {"type": "roll", "dice": [1, 2, 2, 2, 4, 6]},
            {"type": "keep", "dice": [1, 2, 2, 2]},
            {"type": "roll", "dice": [3, 6]},
        ]
    document = {"players": ["Ada", "Ben"], "log": log[:events]}
    review(GAME, document)
    since = process_time()
    review(GAME, document)
    return 1 / (process_time() - since)


def _event(verdict: dict[str, Any]) -> dict[str, Any]:
    """Returns the first legal keep; after a Niete an illegal event."""
    keeps = verdict["legal_keeps"]
    return {"type": "keep", "dice": keeps[0]["dice"]} if keeps else {"type": "bank"}


def _named(name: str) -> Contender:
    return next(contender for contender in CONTENDERS if contender.name == name)


@contextmanager
def prepared(plan: Plan) -> Iterator[Bench]:
    """Writes the questions to files of a temporary folder, which contenders use as well."""
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
            # Compiled modules are cached, as in an installed service, but outside the project.
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        }
        print(f"{len(questions)} different questions; an answer has {size:.0f} bytes on average")
        arena = Arena(folder, questions[0], environment)
        yield Bench(questions, answers, file, steps, weighed, arena, plan)


def agreed() -> None:
    """Checks all contenders, untimed. Raises Disagreement at a wrong answer."""
    with prepared(QUICK) as bench:
        bench.check()
    print(f"{len(CONTENDERS)} contenders give the referee's answers to {CHECKED:,} questions")


def compared(plan: Plan) -> dict[str, Any]:
    """Measures and prints everything."""
    server_core, load_core = cores()
    if server_core == load_core:
        print("WARNING: one core only; servers and load take turns on it")
    os.sched_setaffinity(0, {load_core})
    with prepared(plan) as bench:
        slices = bench.requests()
        print("", *report.request_table(slices), "", sep="\n", flush=True)
        targets = report.request_targets(slices)
        reviews = reviews_per_second()
        title = "reviews of a thousand events a CPU second"
        targets.append(Target(title, reviews, 0.5, at_least=True))
        card = whole_card.cpu_against_categories(plan.rounds)
        targets.append(
            Target("odds of a whole card of Yatzee, CPU against its categories", card, 6)
        )
        batches = bench.batches()
        for result, limit in zip(batches, (5.5, 5), strict=True):
            title = f"batch of {result.size}"
            print(f"{title}: {result.per_cpu_second:,.0f} positions a CPU second")
            targets += [
                Target(f"{title}, CPU against orjson alone", result.ratio_to_orjson, limit),
            ]
        ours, bare = (
            bench.private_bytes(contender) for contender in (_named(SERVICE), BARE_FLASK_PRELOADED)
        )
        memory = f"private memory a worker: {ours / 1e6:.1f} MB, bare Flask {bare / 1e6:.1f} MB"
        targets.append(Target(memory, ours / bare, 1.4))
        targets.append(Target("start to first answer, seconds", bench.first_answer(), 1))
    print(*(target.line() for target in targets), sep="\n")
    facts = {
        "plan": asdict(plan),
        "python": sys.version.split()[0],
        "batches": [asdict(result) for result in batches],
        "private_bytes": {"service": ours, "bare Flask": bare},
    }
    return report.document(slices, targets, facts)


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
            agreed()
            return 0
        result = compared(QUICK if arguments.quick else FULL)
    except (FailedToStart, Disagreement, AnswersFailed) as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    if arguments.json:
        arguments.json.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
