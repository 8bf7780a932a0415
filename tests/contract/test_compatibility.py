"""The contract keeps the promises of its last release, and the checker detects breaks.

First the planted changes of ``changes.yaml``, each detected or accepted, then the last release.
"""

import copy
from pathlib import Path
from typing import Any

import pytest

from dice_referee.api.contract import contract
from tests import quick_yaml
from tests.programs import ROOT
from tests.tools.bundle import RELEASED
from tests.tools.compatibility import (
    Break,
    breaks,
    is_told,
    may_break,
    told_changes,
    unannounced,
    untold_deprecations,
    version_of,
)
from tests.tools.release import last_release

CASES: dict[str, Any] = quick_yaml.load(Path(__file__).with_name("changes.yaml").read_text("utf-8"))
CONTRACT, BREAKING, HARMLESS = CASES["contract"], CASES["breaking"], CASES["harmless"]
ROOTS = {"judgeRoll": ("paths", "/rolls/{id}", "post"), "getRoll": ("paths", "/rolls/{id}", "get")}
"""Places of the operations in the contract."""


def path_to(place: str) -> list[str]:
    """Returns the keys and indices that lead to a place of the contract."""
    first, *rest = place.split(":")
    required = first in ("paths", "components", "security", "info")
    return [*ROOTS.get(first, (first,) if required else ("components", "schemas", first)), *rest]


def last_contract() -> Any:
    """Returns the meaning of the last release."""
    (path,) = RELEASED.glob("*.yaml")
    return quick_yaml.load(path.read_bytes())


def changed_contract(changes: dict[str, Any]) -> dict[str, Any]:
    """Returns the contract with these changes. None removes a place."""
    contract: dict[str, Any] = copy.deepcopy(CONTRACT)
    for place, value in changes.items():
        *path, last = path_to(place)
        at: Any = contract
        for step in path:
            at = at[int(step)] if isinstance(at, list) else at[step]
        key: Any = int(last) if isinstance(at, list) else last
        if value is None:
            del at[key]
        elif isinstance(at, list) and key == len(at):
            at.append(copy.deepcopy(value))
        else:
            at[key] = copy.deepcopy(value)
    return contract


@pytest.mark.parametrize("sentence", BREAKING)
def test_planted_break_is_detected_at_its_place(sentence: str) -> None:
    changes, places = BREAKING[sentence]
    changed = breaks(changed_contract({}), changed_contract(changes))
    assert sorted(each.place for each in changed) == sorted(places), changed


@pytest.mark.parametrize("sentence", HARMLESS)
def test_harmless_planted_change_passes(sentence: str) -> None:
    assert breaks(changed_contract({}), changed_contract(HARMLESS[sentence])) == []


def test_unchanged_contract_has_no_breaks() -> None:
    assert breaks(contract(), contract()) == []


# Releases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ("0.1.0", "0.2.0", True),
        ("0.1.0", "0.1.1", False),
        ("0.9.0", "0.10.0", True),
        ("0.9.9", "1.0.0", True),
        ("1.0.0", "1.1.0", False),
        ("1.9.0", "1.10.1", False),
        ("1.9.0", "2.0.0", True),
    ],
)
def test_versions_allow_breaks_by_semantic_versioning(old: str, new: str, may: bool) -> None:
    assert may_break(old, new) is may


def test_breaking_change_needs_its_changelog_section() -> None:
    changelog = (
        "## 0.3.0 - now\n\nRolls.\n\n### Breaks\n| was | write instead |\n|---|---|\n"
        "| `Roll.card`, `judgeRoll` | `Roll.cards` |\n\n### Added\n- `Roll.dice`\n\n"
        "### Fixed\n- `Roll.felt`\n\n"
        "## 0.2.0 - then\n### Breaks\n| `Status` | |\n"
        "## 0.1.0 - once\n### Breaks\n| `Verdict` | |\n"
    )
    changes = told_changes(changelog, "0.1.0", "0.3.0")
    entries = {
        place: is_told(Break(place, ""), changes)
        for place in (
            *("Roll.card", "Roll.dice", "Roll.felt"),
            *("judgeRoll 200 ETag", "Status.x[]", "Verdict"),
        )
    }
    assert entries == {
        "Roll.card": True,
        "Roll.dice": False,
        "Roll.felt": False,
        "judgeRoll 200 ETag": True,
        "Status.x[]": True,
        "Verdict": False,
    }
    assert not is_told(Break("Status", ""), told_changes(changelog, "0.2.0", "0.3.0"))


@pytest.mark.parametrize(
    ("version", "entry", "expected"),
    [
        ("0.4.1", "`judgeRoll`", ["judgeRoll"]),
        ("0.5.0", "`judgeRoll`", []),
        ("0.5.0", "`getRoll`", ["judgeRoll"]),
    ],
)
def test_breaking_change_needs_a_version_and_an_entry(
    version: str, entry: str, expected: list[str]
) -> None:
    old = changed_contract({"info": {"version": "0.4.0"}})
    new = changed_contract({"info": {"version": version}, "judgeRoll": None})
    changelog = f"## {version} - now\n### Breaks\n| {entry} | |\n## 0.4.0 - then\n"
    assert [each.place for each in unannounced(old, new, changelog)] == expected


@pytest.mark.parametrize(
    ("version", "entry", "expected"),
    [
        ("0.5.0-dev.0", "### Breaks\n| `judgeRoll` | |\n", []),
        ("0.5.0-dev.0", "### Added\n- `judgeRoll`\n", ["judgeRoll"]),
        ("0.4.1-dev.0", "### Breaks\n| `judgeRoll` | |\n", ["judgeRoll"]),
    ],
)
def test_break_in_development_is_announced_as_unreleased(
    version: str, entry: str, expected: list[str]
) -> None:
    old = changed_contract({"info": {"version": "0.4.0"}})
    new = changed_contract({"info": {"version": version}, "judgeRoll": None})
    changelog = f"## Unreleased\n{entry}## 0.4.0 - then\n"
    assert [each.place for each in unannounced(old, new, changelog)] == expected


def test_contract_version_is_newer_than_the_last_release() -> None:
    old = last_contract()
    assert old["info"]["version"] == last_release()[0]
    assert version_of(old["info"]["version"]) < version_of(contract()["info"]["version"])


def test_contract_keeps_what_the_last_release_promised() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert unannounced(last_contract(), contract(), changelog) == []


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("judgeRoll", "judgeRoll"),
        ("judgeRoll:parameters:1", "judgeRoll"),
        ("Roll:properties:card", "Roll"),
        ("Status", "Status"),
    ],
)
def test_deprecation_needs_a_description_and_an_entry(place: str, name: str) -> None:
    silent = changed_contract({f"{place}:deprecated": True})
    described = changed_contract(
        {f"{place}:deprecated": True, f"{place}:description": "Use the other."}
    )
    begun = "## Unreleased\n### Deprecated\n"
    entry = f"{begun}- `{name}`: use the other.\n"
    elsewhere = f"{begun}- More.\n### Added\n- `{name}`\n"
    assert untold_deprecations(described, entry) == []
    for contract_, changelog in ((silent, entry), (described, elsewhere), (described, "")):
        assert untold_deprecations(contract_, changelog) == [name]


def test_deprecations_of_the_contract_are_announced() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert untold_deprecations(contract(), changelog) == []
