"""Installation from the source distribution, with the same answers as ``make run``."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from dice_referee import __version__
from dice_referee.web.pages import PAGES
from tests.agents.agent import Agent
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.e2e.guides.snippets import GUIDES, SERVICE, blocks, files
from tests.engines.stack import Process
from tests.programs import ROOT, run
from tests.wire import Server, begin, serving

LIBRARY_GUIDE = (GUIDES / "library.md").read_text("utf-8")
SOURCES = ("LICENSE", "README.md", "openapi.yaml", "pyproject.toml", "service")
SDIST = "import setuptools.build_meta as backend; print(backend.build_sdist('dist'))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel from the source distribution, offline and outside the checkout."""
    home = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, home / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, home)
    name = run(sys.executable, "-c", SDIST, cwd=home).stdout.split()[-1]
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run(sys.executable, *("-m", "pip", "wheel", *offline, f"dist/{name}"), cwd=home)
    [built] = home.glob("*.whl")
    assert built.name == f"dice_referee-{__version__}-py3-none-any.whl"
    return built


@pytest.fixture(scope="module")
def binaries(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the programs of an environment with the wheel and its dependencies."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home)
    python = home / "bin" / "python"
    install = ("-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel)
    run(sys.executable, *install, cwd=home)
    # The environment uses the tests' dependencies, installed from the locked list.
    [packages] = home.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    place = run(python, "-c", "import dice_referee as d; print(d.__file__)", cwd=home).stdout
    assert Path(place.strip()).is_relative_to(packages)
    return home / "bin"


@pytest.fixture(scope="module")
def installed(binaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    command = [str(binaries / "dice-referee"), "serve"]
    with Process(command, tmp_path_factory.mktemp("empty"), PATH="/usr/bin:/bin") as service:
        yield service


@pytest.fixture(scope="module")
def checkout() -> Iterator[Server]:
    with serving(REDIS_URL="") as server:
        yield server


def test_installation_contains_every_file_read_at_run_time(
    installed: Process, checkout: Server
) -> None:
    reader = "Accept: text/html, */*"
    page = installed.ask("GET", "/", None, reader).body.decode()
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert files
    targets = (
        *("/livez", "/readyz", "/version", "/v1", "/v1/tutto", "/v1/pot/rules"),
        *(f"/v1/{game}/cases" for game in ("pot", "tutto", "yatzee")),
        "/v1/tutto/adjudications?card=bonus-300&roll=234566",
        *("/openapi.json", "/openapi.yaml", "/problems/bad-request", "/no-such-page"),
        *(path.replace("<session_id>", "x") for path in PAGES),
        *("/dice-referee.js", *files),
    )
    for target in targets:
        installed_reply, checkout_reply = (
            service.ask("GET", target, None, reader) for service in (installed, checkout)
        )
        assert (installed_reply.status, installed_reply.body) == (
            checkout_reply.status,
            checkout_reply.body,
        ), target
        assert installed_reply.status == (404 if target == "/no-such-page" else 200), target
    assert installed.ask("GET", "/openapi.yaml").body == (ROOT / "openapi.yaml").read_bytes()


def test_verdict_and_refusal_exist_in_every_language(installed: Process) -> None:
    assert installed.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
    refused = installed.ask("POST", ADJUDICATIONS, b"{", "Accept-Language: de")
    assert refused.status == 400
    assert refused.headers["content-language"] == "de"


def test_session_is_stored_and_played(installed: Process) -> None:
    table = begin(installed, game="pot", dice="client")
    played = table.change("events", {"type": "roll", "dice": [1, 2, 4]})
    assert played["session"]["version"] == 1


@pytest.mark.long
def test_installed_command_checks_the_installed_service(
    binaries: Path, installed: Process, tmp_path: Path
) -> None:
    result = run(
        binaries / "dice-referee", "check", f"http://localhost:{installed.port}", cwd=tmp_path
    )
    assert "\nnot ok" not in result.stdout
    assert result.stdout.count("\nok ") > 600


@pytest.fixture
def guide(binaries: Path, installed: Process) -> str:
    """Returns the guide to agents with the paths and the service of this machine."""
    text = (GUIDES / "agents.md").read_text("utf-8")
    installed_reply = text.replace("/home/ada/dice-referee/bin", str(binaries))
    return installed_reply.replace(SERVICE, f"localhost:{installed.port}")


@pytest.mark.long
def test_agent_starts_by_every_line_of_the_guide(guide: str) -> None:
    from dice_referee.agents.tools import TOOLS

    commands = []
    for language, block in blocks(guide):
        if language == "json":
            [servers] = json.loads(block).values()
            [server] = servers.values()
            commands.append((server["command"], *server["args"]))
        commands += [
            tuple(shlex.split(line.partition(" -- ")[2]))
            for line in block.splitlines()
            if language == "sh" and line.startswith("claude mcp add ")
        ]
    assert len(commands) == 3
    for command in commands:
        source = "zum Teil unsere Lesart" if "de" in command else "partly our reading"
        with Agent(command=command) as agent:
            listed = agent.run(agent.client.list_tools())
            assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
            rule = agent.answer("rule", game="tutto", number="T5.1")
            assert rule.startswith(f"T5.1, {source}. ")


@pytest.mark.long
def test_custom_agent_gets_the_verdict(guide: str, binaries: Path, tmp_path: Path) -> None:
    for name, text in files(guide).items():
        (tmp_path / name).write_text(text, "utf-8")
    path = f"{binaries}:/usr/bin:/bin"
    result = run(binaries / "python3", "ask.py", cwd=tmp_path, PATH=path)
    assert result.stdout.startswith("Bonus 300. You roll 2 3 4 5 6 6.\n")


def test_python_m_equals_the_script(binaries: Path, tmp_path: Path) -> None:
    for command in ([binaries / "dice-referee"], [binaries / "python", "-m", "dice_referee"]):
        result = subprocess.run([*command, "version"], cwd=tmp_path, capture_output=True, text=True)
        assert result.stdout == f"{__version__}\n"


PROGRAM = """
import sys

import dice_referee

roll = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
verdict = dice_referee.adjudicate("tutto", roll)
step = dice_referee.transition("tutto", {**roll, "event": {"type": "keep", "dice": [6]}})
events = [{"type": "roll", "dice": [5, 4, 1]}, {"type": "accept"}]
log = {"players": ["Ada", "Ben"], "log": events}
state, told = dice_referee.audit("pot", log), dice_referee.review("pot", log, language="it")
odds = dice_referee.odds("yatzee", {"roll": [1, 1, 2, 3, 4, 6], "rolls_made": 1})
numbers = [rule["number"] for rule in dice_referee.rules("pot")["rules"]]
print(verdict["status"], step["legal"], state["player"], len(told["decisions"]), numbers[0])
try:
    dice_referee.adjudicate("tutto", {**roll, "roll": [7]})
except dice_referee.InvalidRequest as refusal:
    print(refusal.errors[0]["pointer"])
try:
    dice_referee.adjudicate("tutto", {**roll, "roll": [1]})
except dice_referee.ImpossiblePosition as refusal:
    print(refusal.findings[0]["rule"])
print(odds["rules"][0], "flask" in sys.modules)
"""
PRINTED = "scoring False 1 1 P1.1\n/roll/0\nT1.1\nO1 False\n"
MISTAKES = """
import dice_referee

dice_referee.adjudicate(1, {})
dice_referee.adjudicate("tutto", {})["leagl_keeps"]
dice_referee.InvalidRequest({}, "").errors + 1
"""


def test_library_is_imported_by_a_program(binaries: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    assert run(binaries / "python", program, cwd=tmp_path).stdout == PRINTED


@pytest.mark.long
def test_library_runs_with_marshmallow_and_orjson_alone(wheel: Path, tmp_path: Path) -> None:
    """Installs what the guide names, from the tests' own packages because no network is needed."""
    home = tmp_path / "environment"
    venv.create(home)
    pip = ("-m", "pip", "--python", home / "bin" / "python", "install", "--no-index", "--no-deps")
    run(sys.executable, *pip, wheel, cwd=tmp_path)
    [packages] = home.glob("lib/python*/site-packages")
    line = next(line for line in LIBRARY_GUIDE.splitlines() if "--no-deps" in line)
    named = re.findall(r"(\w+)~=", line)
    assert named == ["marshmallow", "orjson"]
    for name in named:
        shutil.copytree(Path(sysconfig.get_path("purelib")) / name, packages / name)
    (tmp_path / "program.py").write_text(PROGRAM)
    assert run(home / "bin" / "python", "program.py", cwd=tmp_path).stdout == PRINTED


@pytest.mark.long
def test_library_has_types_for_a_program(binaries: Path, tmp_path: Path) -> None:
    check = [sys.executable, *("-m", "mypy", "--strict", "--cache-dir", "cache")]
    check += ["--python-executable", str(binaries / "python")]
    (tmp_path / "program.py").write_text(PROGRAM)
    run(*check, "program.py", cwd=tmp_path)
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    done = subprocess.run([*check, "mistakes.py"], cwd=tmp_path, capture_output=True, text=True)
    assert re.findall(r"mistakes.py:(\d+): error.*\[([a-z-]+)\]", done.stdout) == [
        ("4", "call-overload"),
        ("5", "typeddict-item"),
        ("6", "operator"),
    ], done.stdout


def test_package_metadata_is_complete(binaries: Path, tmp_path: Path) -> None:
    script = "import importlib.metadata as m; print(m.metadata('dice-referee').items())"
    fields = ast.literal_eval(run(binaries / "python", "-c", script, cwd=tmp_path).stdout)
    assert ("Author", "The Dice Referee authors") in fields
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 15)}
    assert {("Classifier", version) for version in versions} < {*fields}
    needed = {value.partition("~")[0] for name, value in fields if name == "Requires-Dist"}
    assert {"flask", "gunicorn", "redis"} < needed
