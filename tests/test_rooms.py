"""The import law of the house: every arrow between rooms and to other people's code."""

import ast
import re
import sys
from pathlib import Path

import pytest

import service

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "service").rglob("*.py"))


def table() -> dict[str, tuple[set[str], set[str]]]:
    """The rooms of ``service/__init__.py``: what each may import of ours and of others."""
    rows = re.findall(r"^    ([a-z.]+/?)  +(\S.*?)  +(\S.*)$", service.__doc__ or "", re.MULTILINE)
    return {
        room.removesuffix("/").removesuffix(".py"): (
            set(ours.split()) - {"-"} | {room.rstrip("/")},
            set(theirs.split()) - {"-"},
        )
        for room, ours, theirs in rows
        if room != "room"
    }


ROOMS = table()
ROOTS = {room for room, (ours, _) in ROOMS.items() if "anything" in ours}
"""The composition roots may import anything."""
WRITERS = {
    *("wire.py", "shapes.py", "answers.py"),
    *("redis_store.py", "redis_connections.py", "tracing.py"),
}
"""The modules of a game that meet the outside, those that meet Redis, and the one that traces."""


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
    room = place[0].removesuffix(".py")
    if room in ROOTS or room == "__init__":
        return
    game = place[1] if room == "games" and len(place) > 2 else None
    ours, theirs = (
        # A star is for the modules that meet the outside.
        {name.rstrip("*") for name in names if not name.endswith("*") or place[-1] in WRITERS}
        for names in ROOMS[room]
    )
    for name in imported(path):
        first, *rest = name.split(".")
        if first != "service":
            assert first in theirs | sys.stdlib_module_names, f"{room} may not import {name}"
        elif game and rest[:1] == ["games"]:
            assert rest[1:2] == [game], f"{game} imports a sibling: {name}"
        elif rest or room != "api":
            assert rest, f"{room} may not import {name}"
            assert rest[0] in ours, f"{room} may not import {name}"


def test_every_module_lies_in_a_room() -> None:
    found = {path.relative_to(ROOT / "service").parts[0].removesuffix(".py") for path in MODULES}
    assert found - {"__init__"} == set(ROOMS)


def test_only_the_settings_and_the_roots_know_the_environment() -> None:
    knowing = {path.name for path in MODULES if "os.environ" in path.read_text("utf-8")}
    assert knowing == {"wsgi.py", "asgi.py"}
