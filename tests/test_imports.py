"""The import contracts of ``pyproject.toml`` are complete. ``make check`` runs the contracts."""

import sys
import tomllib

import grimp

from tests.programs import ROOT

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
