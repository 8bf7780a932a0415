"""The library, ``check`` and ``mcp`` run without the service's own packages."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.agent import Agent
from tests.programs import ROOT, SOURCES, run
from tests.wire import Server, serving

MISSING = (
    *("flask", "gunicorn", "httptools", "jinja2", "markdown_it", "markupsafe"),
    *("prometheus_client", "redis", "uvloop", "werkzeug", "yaml"),
)
"""Packages of the service that neither the library nor a client of the service needs."""
WITHOUT = (
    f"import sys; sys.modules.update(dict.fromkeys({MISSING})); sys.path[:0] = [{str(SOURCES)!r}]"
)
"""Statements that make imports of these packages fail."""
COMMAND = f"{WITHOUT}; from dice_referee.__main__ import main; main()"
LIBRARY = """
import dice_referee
dice_referee.audit("pot", {"players": ["Ada", "Ben"], "log": []})
dice_referee.review("pot", {"players": ["Ada", "Ben"], "log": []})
dice_referee.transition("yatzee", {"event": {"type": "roll", "dice": [1, 1, 1, 1, 1, 1]}})
dice_referee.odds("tutto", {"card": "bonus-300"})
dice_referee.rules("tutto")
print(*{name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {*MISSING})
"""


@pytest.fixture(scope="module")
def server(redis_url: str) -> Iterator[Server]:
    with serving(REDIS_URL=redis_url, WORKERS=1) as server:
        yield server


def test_library_loads_only_orjson_and_marshmallow(tmp_path: Path) -> None:
    program = f"{WITHOUT}\nMISSING = {MISSING}{LIBRARY}"
    loaded = run(sys.executable, "-c", program, cwd=tmp_path).stdout.split()
    # Names with an underscore belong to the startup of the interpreter.
    packages = {name for name in loaded if not name.startswith("_")}
    assert packages == {"dice_referee", "marshmallow", "orjson"}


def test_check_runs_without_packages_of_the_service(server: Server, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}"
    command = (sys.executable, "-c", COMMAND, "check", url, "--game", "pot", "--rule", "P1.1")
    assert "\nok 1 - " in run(*command, cwd=tmp_path).stdout


def test_mcp_runs_without_packages_of_the_service(server: Server) -> None:
    flags = ("mcp", "--url", f"http://127.0.0.1:{server.port}")
    with Agent(*flags, command=(sys.executable, "-c", COMMAND)) as agent:
        assert agent.answer("rule", game="tutto", number="T1.1").startswith("T1.1, official. ")


def test_serve_without_gunicorn_prints_one_line(tmp_path: Path) -> None:
    command = (sys.executable, "-c", COMMAND, "serve")
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.startswith("The packages of the service are not installed: ")
    assert ended.stderr.count("\n") == 1


def test_service_runs_without_uvloop(tmp_path: Path) -> None:
    (tmp_path / "uvloop.py").write_text("raise ModuleNotFoundError(__name__)")
    with serving(PYTHONPATH=f"{tmp_path}:{SOURCES}", WORKERS=1) as server:
        assert server.ask("GET", "/version").status == 200


def test_uvloop_is_not_required_on_windows() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    [uvloop] = [
        name for name in tomllib.loads(text)["project"]["dependencies"] if name.startswith("uvloop")
    ]
    assert uvloop.endswith("; sys_platform != 'win32'")
