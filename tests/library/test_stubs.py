"""Type checkers accept valid programs and report mistakes, by stubs from the contract."""

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dice_referee
from tests.library.test_library import VERBS as FUNCTIONS
from tests.library.test_library import contract_requests
from tests.programs import NODE_MODULES, ROOT, SOURCES, program
from tests.tools.stubs import DOCUMENTS, FACADE, VERBS, schemas, stubs

VALID = """
import json

import dice_referee
from dice_referee.documents import Game, PotGameLog, TuttoPosition, TuttoTurn

roll: TuttoPosition = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
verdict = dice_referee.adjudicate("tutto", roll)
points: list[int] = [keep["points"] for keep in verdict["legal_keeps"]]
step = dice_referee.transition("tutto", {**roll, "event": {"type": "keep", "dice": [1]}})
turn: TuttoTurn = verdict["legal_keeps"][0]["next"]
assert turn["phase"] == "roll"
thrown: int = turn["dice_to_roll"]
value: float | None = dice_referee.odds("tutto", turn)["value"]
best: int | None = dice_referee.odds("tutto", roll)["best"]
chosen = dice_referee.odds("tutto", turn, bot="best").get("bot")
kind: str = chosen["event"]["type"] if chosen else ""
rolled = dice_referee.transition("tutto", {**turn, "event": {"type": "roll", "dice": [1] * thrown}})
keep = rolled["turn"]
assert keep is not None and keep["phase"] == "keep"
again = dice_referee.adjudicate("tutto", keep)
log: PotGameLog = {"players": ["Ada", "Ben"], "log": [{"type": "roll", "dice": [5, 4, "P"]}]}
state, told = dice_referee.audit("pot", log), dice_referee.review("pot", log, language="it")
unannotated = {"roll": [1, 1, 2, 3, 4, 6], "rolls_made": 1}
entries = dice_referee.adjudicate("yatzee", unannotated)["categories"]
events = [{"type": "roll", "dice": [5, 4, 1]}, {"type": "accept"}]
coins: list[int] = dice_referee.audit("pot", {"players": ["A", "B"], "log": events})["coins"]
numbers = [rule["number"] for rule in dice_referee.rules("pot")["rules"]]
name: Game = "yatzee"
dice_referee.adjudicate(name, unannotated)


def read(game: str, text: str) -> list[str]:
    dice_referee.rules(game)
    return dice_referee.adjudicate(game, json.loads(text))["rules"]


version: str = dice_referee.__version__
print(points, step["legal"], value, best, kind, again["bank"], state["coins"])
print(told["decisions"], entries)
"""
START = """
import dice_referee
from dice_referee.documents import PotPosition, TuttoPosition, YatzeeGameLog

roll: TuttoPosition = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
bare = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
"""
MISTAKES = (
    'dice_referee.adjudicate("tutto", roll)["leagl_keeps"]',
    'dice_referee.adjudicate("tuto", roll)',
    'wrong: TuttoPosition = {"crd": "bonus-300", "roll": [1]}',
    'card: TuttoPosition = {"card": "bonus-301", "roll": [1]}',
    'dice_referee.adjudicate("pot", roll)',
    'dice_referee.transition("yatzee", roll)',
    'die: PotPosition = {"roll": ["X"], "rolls_made": 1, "coins": [], "pot": 1, "bank": 1}',
    'log: YatzeeGameLog = {"players": ["A"], "log": [{"type": "bank"}]}',
    'dice_referee.adjudicate("tutto", bare)["leagl_keeps"]',
    'dice_referee.adjudicate("tuto", bare)["legal_keeps"]',
    'dice_referee.odds("yatze", bare)["categories"]',
    'dice_referee.audit("tutto", bare)["coins"]',
    'dice_referee.rules("tutto")["rule"]',
    'dice_referee.rules("tutto")["rules"][0]["nmber"]',
    "dice_referee.rules(1)",
    'dice_referee.adjudicate("tutto", bare, lang="de")',
    'dice_referee.odds("tutto", bare, bot="wild")',
    "dice_referee.adjudicated",
)
"""Statements with a mistake each: first with annotated documents, then without."""


def lines_refused(checker: str, folder: Path, text: str) -> list[int]:
    """Returns the numbers of the lines that a checker reports."""
    (folder / "program.py").write_text(text)
    if checker == "mypy":
        command = [sys.executable, *("-m", "mypy", "--strict", "--config-file=")]
        command += ["--cache-dir", str(ROOT / ".mypy_cache" / "stubs"), "program.py"]
    else:
        settings = {"extraPaths": [str(SOURCES)], "typeCheckingMode": "strict"}
        settings |= {"reportUnusedExpression": "none", "pythonVersion": "3.11"}
        (folder / "pyrightconfig.json").write_text(json.dumps(settings))
        pyright = str(NODE_MODULES / "pyright" / "index.js")
        command = [program("node"), pyright, "--pythonpath", sys.executable]
    environment = {**os.environ, "MYPYPATH": str(SOURCES)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    print(done.stdout)
    lines = re.findall(r"program\.py:(\d+)(?::\d+)?[: -]+error", done.stdout)
    return sorted({int(line) for line in lines})


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_accept_valid_programs(checker: str, tmp_path: Path) -> None:
    assert lines_refused(checker, tmp_path, VALID) == []


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_report_every_mistake(checker: str, tmp_path: Path) -> None:
    refused = lines_refused(checker, tmp_path, START + "\n".join(MISTAKES))
    first = START.count("\n") + 1
    assert refused == [*range(first, first + len(MISTAKES))]


def test_contract_examples_match_their_types(tmp_path: Path) -> None:
    lines = ["from dice_referee.documents import *"]
    for game, verb, document in contract_requests():
        try:
            answer = FUNCTIONS[verb](game, document)
        except (dice_referee.InvalidRequest, dice_referee.ImpossiblePosition):
            continue
        types = (schema["$ref"].rpartition("/")[2] for schema in schemas(f"{game}/{verb}", "post"))
        for kind, value in zip(types, (document, answer), strict=True):
            lines.append(f"example_{len(lines)}: {kind} = {value!r}")
    assert len(lines) > 2 * len(FUNCTIONS)
    assert lines_refused("mypy", tmp_path, "\n".join(lines)) == []


def test_stubs_are_up_to_date() -> None:
    assert (DOCUMENTS.read_text("utf-8"), FACADE.read_text("utf-8")) == stubs(), "make generate"


def test_stubs_name_the_parameters_of_the_library() -> None:
    for function in (*VERBS, "rules"):
        names = ", ".join(inspect.signature(getattr(dice_referee, function)).parameters)
        stub = FACADE.read_text("utf-8")
        for parameters in re.findall(rf"def {function}\((.*?)\) ->", stub, re.DOTALL):
            parameter_names = re.findall(r"(\w+): ", re.sub(r"\[.*?\]", "", parameters))
            assert ", ".join(parameter_names) == names, function


def test_document_types_can_be_imported_at_run_time() -> None:
    from dice_referee.documents import TuttoCard, TuttoPosition

    roll: TuttoPosition = {"card": "bonus-300", "roll": [1, 2, 3, 4, 5, 6]}
    assert isinstance(roll, dict)
    assert TuttoCard
