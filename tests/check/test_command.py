"""``dice-referee check`` against correct, faulty and unreachable servers."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

from dice_referee.__main__ import main
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from tests.games.sample import published_cases
from tests.wire import listening

APP = create_app()
CASES = [(game, case) for game in catalogue() for case in case_table(game).cases]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def without_doubling(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Serves the application, but does not double 450 points (T5.4)."""
    return [b"".join(APP(environ, start_response)).replace(b'"bonus":450', b'"bonus":0.0')]


@contextmanager
def serving(app: Callable[..., Any], prefix: str = "") -> Iterator[str]:
    with listening(make_server("127.0.0.1", 0, app, WSGIServer, Quiet)) as address:
        yield address + prefix


@pytest.fixture
def checked(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[object, str, str]]:
    """Returns a function that runs the command and returns its exit code, output and errors."""

    def run(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["check", *arguments])
        return ended.value.code, *capsys.readouterr()

    return run


Checked = Callable[..., tuple[object, str, str]]


def test_service_passes_every_case(checked: Checked) -> None:
    with serving(APP) as url:
        code, printed, _ = checked(url)
    version, plan, *lines = printed.splitlines()
    assert (code, version, plan) == (0, "TAP version 14", f"1..{len(CASES)}")
    assert [line.split(" ", 5)[:5] for line in lines] == [
        ["ok", str(number), "-", game, case.id] for number, (game, case) in enumerate(CASES, 1)
    ]


def test_difference_has_its_pointer(checked: Checked) -> None:
    with serving(without_doubling) as url:
        code, printed, _ = checked(url, "--game", "tutto", "--rule", "T5.4")
        number, lines, _ = checked(url, "--game", "tutto", "--rule", "T5.4", "--format", "json")
    assert code == number == 1
    documents = [json.loads(line) for line in lines.splitlines()]
    assert [case["case"] for case in documents] == [
        case.id for case in case_table("tutto").of_rule("T5.4").cases
    ]
    wrong = [case for case in documents if not case["ok"]]
    assert 0 < len(wrong) < len(documents)
    for case in wrong:
        assert case["status"] == {"expected": 200, "actual": 200}
        for difference in case["differences"]:
            assert difference == {"pointer": "/bank/bonus", "expected": 450, "actual": 0.0}
            assert f"    - {json.dumps(difference)}\n" in printed
    failed = [line.split()[5] for line in printed.splitlines() if line.startswith("not ok ")]
    assert failed == [case["case"] for case in wrong]
    assert printed.count("\n  ---\n") == printed.count("\n  ...\n") == len(wrong)


def test_wrong_status_fails_the_case(checked: Checked) -> None:
    with serving(APP, "/elsewhere/") as url:
        code, printed, _ = checked(url, "--rule", "T6.5")
    assert code == 1
    statuses = [case.status for _, case in published_cases() if "T6.5" in case.rules]
    assert printed.count('  status: {"expected": 200, "actual": 404}\n') == statuses.count(200)
    assert "differences" not in printed


@pytest.mark.parametrize(
    ("way", "last"), [("tap", "Bail out! "), ("json", '{"error": "/v1/tutto/')]
)
def test_unreachable_server_ends_the_run(checked: Checked, way: str, last: str) -> None:
    code, printed, _ = checked("http://127.0.0.1:1", "--rule", "T6.5", "--format", way)
    assert code == 2
    assert printed.splitlines()[-1].startswith(last)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "no game chess: tutto, pot, yatzee"),
        (["--rule", "T0"], "no case is about T0"),
        (["--game", "pot", "--rule", "T5.4"], "no case is about T5.4"),
        (["--seconds", "0"], "argument --seconds"),
        (["--seconds", "nan"], "argument --seconds"),
        (["--format", "xml"], "argument --format"),
    ],
)
def test_contradictory_arguments_are_refused(
    checked: Checked, arguments: list[str], message: str
) -> None:
    code, printed, errors = checked("http://127.0.0.1:1", *arguments)
    assert (code, printed) == (2, "")
    assert message in errors
