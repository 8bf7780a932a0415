"""The import contracts of ``pyproject.toml`` are complete. ``make check`` runs the contracts."""

import subprocess
import sys
import tomllib

import grimp

from tests.programs import ROOT, SOURCES

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LINTER = CONFIG["tool"]["importlinter"]


def test_contracts_name_every_package_and_third_party() -> None:
    [root] = LINTER["root_packages"]
    graph = grimp.build_graph(root, include_external_packages=True, cache_dir=None)
    packages = graph.find_children(root)
    third_parties = {name for name in graph.modules if graph.is_module_squashed(name)}
    named = {name for each in LINTER["contracts"] for name in each.get("protected_modules", ())}
    standard = sys.stdlib_module_names
    outer = {name for name in named if not name.startswith("dice_referee.games.")}
    assert outer - standard == (packages | third_parties) - standard


def test_import_of_the_operations_loads_no_game() -> None:
    program = """
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules
import dice_referee.api, dice_referee.games
for module in iter_modules(dice_referee.api.__path__):
    import_module(f"dice_referee.api.{module.name}")
games = {name for _, name, holds in iter_modules(dice_referee.games.__path__) if holds}
print("dice_referee.api.sessions" in sys.modules, len(games) > 2)
print(*sorted(name for name in games if f"dice_referee.games.{name}" in sys.modules))
"""
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=True)
    assert answer.stdout == "True True\n\n"
