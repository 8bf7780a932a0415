"""Helpers of tests: a name stands for one of them, so that an import says which is meant.

Nobody imports test modules or the fixtures of a ``conftest.py``: each folder has its own.
"""

from collections import defaultdict
from pathlib import Path

from tests.trees import tree_of

HERE = Path(__file__).parent
GAMES = HERE / "games"
PROGRAM = "main"
"""Function that ``python -m`` calls; no module imports it."""
TWO_KINDS = {"Reply": {"server/driving.py", "server/serving.py"}}
"""An answer of an application in this process, and one of a server on its wire."""


def helpers() -> list[Path]:
    """Returns every module of helpers."""
    paths = (path for path in HERE.rglob("*.py") if "node_modules" not in path.parts)
    return [path for path in paths if path.name != "conftest.py" and path.name[:5] != "test_"]


def in_layout(path: Path) -> Path:
    """Returns the module's path; modules of one name in the games' folders count as one."""
    return GAMES / path.name if path.is_relative_to(GAMES) else path


def test_modules_of_helpers_have_names_of_their_own() -> None:
    places = defaultdict(set)
    for path in helpers():
        places[path.name].add(in_layout(path))
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_helpers_have_names_of_their_own() -> None:
    places = defaultdict(set)
    for path in helpers():
        for node in tree_of(path.read_text("utf-8")).body:
            name = getattr(node, "name", PROGRAM)
            if name != PROGRAM and name[0] != "_":
                places[name].add(in_layout(path).relative_to(HERE).as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if TWO_KINDS.get(name) != found} == {}
