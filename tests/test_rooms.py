"""The import law of the house: every arrow between rooms and to other people's code."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "service").rglob("*.py"))

OURS = {
    "rules": {"rules"},
    "wire": {"rules", "wire"},
    "games": {"rules"},
    "http": {"http"},
    "doors": {"http", "games", "wire", "rules", "settings", "doors"},
    "api": {"http", "games", "wire", "rules", "settings", "api", "__init__"},
    "settings": set[str](),
    "__init__": set[str](),
}
THEIRS = {
    "rules": set[str](),
    "wire": {"marshmallow", "orjson"},
    "games": set[str](),
    "http": {"structlog", "prometheus_client", "orjson"},
    "doors": {"orjson", "jsonschema_rs", "gunicorn"},
    "api": {"flask", "werkzeug", "orjson", "yaml"},
    "settings": set[str](),
    "__init__": set[str](),
}
ROOTS = {"app.py", "wsgi.py", "asgi.py"}
"""The composition roots may import anything."""
WRITERS = {"wire.py", "shapes.py", "answers.py"}
"""The modules of a game that meet the outside."""


def imported(path: Path) -> set[str]:
    """The dotted names of the modules that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    place = path.relative_to(ROOT / "service").parts
    if place[0] in ROOTS:
        return
    room = place[0].removesuffix(".py")
    game = place[1] if room == "games" and len(place) > 2 else None
    ours, theirs = OURS[room], THEIRS[room]
    if game and place[-1] in WRITERS:
        ours, theirs = ours | {"wire"}, theirs | {"marshmallow", "orjson"}
    for name in imported(path):
        first, *rest = name.split(".")
        if first != "service":
            assert first in theirs | sys.stdlib_module_names, f"{room} may not import {name}"
        elif game and rest[:1] == ["games"]:
            assert rest[1:2] == [game], f"{game} imports a sibling: {name}"
        else:
            assert (rest[0] if rest else "__init__") in ours, f"{room} may not import {name}"


def test_every_module_lies_in_a_room() -> None:
    rooms = {path.relative_to(ROOT / "service").parts[0].removesuffix(".py") for path in MODULES}
    assert rooms <= set(OURS) | {name.removesuffix(".py") for name in ROOTS}


def test_only_the_settings_and_the_roots_know_the_environment() -> None:
    knowing = {path.name for path in MODULES if "os.environ" in path.read_text("utf-8")}
    assert knowing == {"wsgi.py", "asgi.py"}
