"""Imports between packages and of third parties: as the table says."""

import ast
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import service
from tests.trees import tree_of

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "service" / "games"
MODULES = sorted((ROOT / "service").rglob("*.py"))


def table() -> dict[str, tuple[set[str], set[str]]]:
    """Reads the packages of ``service/__init__.py``, and the imports allowed to each."""
    rows = re.findall(
        r"^    ([a-z0-9_.]+/?)  +(\S.*?)  +(\S.*)$", service.__doc__ or "", re.MULTILINE
    )
    return {
        package.removesuffix("/").removesuffix(".py"): (
            set(ours.split()) - {"-"} | {package.rstrip("/")},
            set(theirs.split()) - {"-"},
        )
        for package, ours, theirs in rows
        if package != "package"
    }


PACKAGES = table()
ROOTS = {package for package, (ours, _) in PACKAGES.items() if "anything" in ours}
"""The composition roots may import anything."""
WRITERS = {
    *("schemas.py", "game.py", "documents.py", "fast_json.py"),
    *("store.py", "client.py", "driver.py", "tracing.py"),
}
"""The modules of a game that meet the outside, those that meet Redis, and the one that traces."""
SPEECH = "speech.py"
"""The module of a game that holds its sentences: it imports what ``sentences/`` may."""


def imported(path: Path) -> set[str]:
    """Returns the dotted names of the modules that a module imports."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                names.add(name if is_module(name) else str(node.module))
    return names


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").exists()


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    place = path.relative_to(ROOT / "service").parts
    package = place[0].removesuffix(".py")
    if package in ROOTS or package == "__init__":
        return
    game = place[1] if package == "games" and len(place) > 2 else None
    if game and place[-1] == SPEECH:
        package = "sentences"
    ours, theirs = (
        # A star is for the modules that meet the outside.
        {name.rstrip("*") for name in names if not name.endswith("*") or place[-1] in WRITERS}
        for names in PACKAGES[package]
    )
    for name in imported(path):
        first, *rest = name.split(".")
        if first != "service":
            assert first in theirs | sys.stdlib_module_names, f"{package} may not import {name}"
        elif game and rest[:1] == ["games"]:
            assert rest[1] in (game, "game", "fields"), f"{game} imports a sibling: {name}"
            assert rest[-1] != "speech", f"{path.name} imports sentences: {name}"
        elif rest or package != "api":
            assert rest, f"{package} may not import {name}"
            assert rest[0] in ours, f"{package} may not import {name}"


@pytest.mark.parametrize(
    "path", sorted(GAMES.glob("*/**/*.py")), ids=lambda p: str(p.relative_to(GAMES))
)
def test_rules_of_a_game_import_no_values_and_no_documents(path: Path) -> None:
    _, *inner = path.relative_to(GAMES).parts
    if inner[-1] in {*WRITERS, SPEECH}:
        return
    above = {"documents", "fast_json", "game", *({"values"} - set(inner))}
    for name in imported(path):
        assert name.split(".")[3:4] not in [[layer] for layer in above], name


def test_modules_have_no_import_cycle() -> None:
    """Follows imports for types alone, too; a cycle is named by CycleError."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in MODULES}
    graph = {name: imported(path) & names.keys() for name, path in names.items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(MODULES)


def test_every_module_lies_in_a_package() -> None:
    packages = {path.relative_to(ROOT / "service").parts[0].removesuffix(".py") for path in MODULES}
    assert packages - {"__init__"} == set(PACKAGES)


def test_only_settings_and_roots_read_the_environment() -> None:
    knowing = {path.name for path in MODULES if "os.environ" in path.read_text("utf-8")}
    assert knowing == {"__main__.py", "wsgi.py", "asgi.py", "gunicorn_conf.py"}


OUTWARD = {
    *("ftplib", "http.client", "imaplib", "nntplib", "poplib", "smtplib", "socket"),
    *("socketserver", "subprocess", "telnetlib", "urllib.request", "webbrowser", "xmlrpc"),
}
"""Modules of the standard library that can ask another server or program something."""


def test_only_listed_modules_open_connections() -> None:
    """Those reach the Redis and the server that are named, and the client."""
    able = {"/".join(path.parts[-2:]): imported(path) & OUTWARD for path in MODULES}
    assert {name: found for name, found in able.items() if found} == {
        "server/local_redis.py": {"socket", "subprocess"},
        "server/local_network.py": {"socket"},
        "server/bind_address.py": {"socket"},
        "check/client.py": {"http.client", "socket"},
        "redis/driver.py": {"socket"},
    }
