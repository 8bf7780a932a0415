"""The hash of a ruleset changes with its verdicts, and the changelog names the rule."""

import re
from dataclasses import replace
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.rulebook.ruleset import Option, OptionValue, Ruleset
from tests import quick_yaml
from tests.programs import ROOT
from tests.tools.bundle import RELEASED as RELEASED_CONTRACTS

PUBLISHED = [
    (game, rules) for game, known in catalogue().items() for rules in known.rulesets.values()
]
EVERY = pytest.mark.parametrize(
    ("game", "rules"), [pytest.param(game, rules, id=rules.id) for game, rules in PUBLISHED]
)
RELEASED = {
    "pot-2020": "0551486a465a364ddaedec0e491790a454b6a56006590caf7d2d38edffb940df",
    "abacus-2013": "9d918a4c56167ffd69afe7dd22637763b9f513be8375a166eb0fc4ae72115f7f",
    "braillespiel": "37926b69efd8702472537245a75ffd0b06652929e2cab8a72b9be28fabb56085",
    "volle-lotte": "bfcca42d4e331deef0bc70a69586e69a0e4b7a925dfa36141ab14a8cef56917d",
    "yatzee-six": "6ffb08c297ab9c50d866821b9acae705d6a8d2732ddc93dfde59d09b0cc8ad9f",
}
"""The hashes of 0.9.0. Each release updates them."""
CHANGELOG = ROOT / "CHANGELOG.md"


def is_unannounced(rules: Ruleset, released: str, changelog: str) -> bool:
    """Tells if the hash has changed and no entry names the ruleset, a rule and the new hash."""
    entries = re.split(
        r"^- ", changelog.partition("## Unreleased")[2].partition("\n## ")[0], flags=re.M
    )
    names = (f"`{rules.id}`", rules.hash[:12])
    is_listed = any(
        all(name in entry for name in names) and re.search(r"\b[TYP]\d", entry) for entry in entries
    )
    return rules.hash != released and not is_listed


@EVERY
def test_changelog_announces_a_changed_hash(game: str, rules: Ruleset) -> None:
    released = RELEASED.get(rules.id, rules.hash)
    assert not is_unannounced(rules, released, CHANGELOG.read_text("utf-8"))
    begun = f"## Unreleased\n- `{rules.id}`: sets are three"
    entry = f"{begun} (T1.2), `{rules.hash[:12]}`.\n"
    assert not is_unannounced(rules, "0" * 64, entry)
    silent = (f"{begun}, `{rules.hash[:12]}`.\n", f"{begun} (T1.2).\n")
    for entries in (*silent, f"## Unreleased\n- Faster (T1.2).\n\n## 0.1.0\n{entry}"):
        assert is_unannounced(rules, "0" * 64, entries)


@EVERY
def test_each_edition_has_a_different_hash(game: str, rules: Ruleset) -> None:
    kind = type(rules)
    later = type("Later", (kind,), {"facts": {**kind.facts, "edition": 1000}})
    fields = {name: getattr(rules, name) for name in rules.options}
    assert later(rules.id, **fields).hash != rules.hash
    assert kind(rules.id, **fields).hash == rules.hash


def another_value(option: Option, rules: Ruleset) -> OptionValue:
    """Returns an allowed value of an option that these rules do not have."""
    value = rules.options[option.name]
    if option.values:
        return next(other for other in option.values if other != value)
    assert option.minimum is not None
    assert option.maximum is not None
    bounds: list[OptionValue] = [option.minimum, option.maximum]
    if option.length is not None:
        bounds = [(option.minimum,) * option.length, (option.maximum,) * option.length]
    return next(bound for bound in bounds if bound != value)


@EVERY
def test_house_rules_keep_the_hash_of_their_ruleset(game: str, rules: Ruleset) -> None:
    for option in catalogue()[game].options:
        alternative = another_value(option, rules)
        house = rules.house({option.name: alternative})
        assert house.options[option.name] == alternative != rules.options[option.name]
        assert house.hash == rules.hash


def test_every_published_ruleset_has_a_released_hash() -> None:
    (path,) = RELEASED_CONTRACTS.glob("*.yaml")
    schemas = quick_yaml.load(path.read_bytes())["components"]["schemas"]
    ids = {name for game in catalogue() for name in schemas[f"{game.title()}RulesetId"]["enum"]}
    assert ids == RELEASED.keys()
    assert ids <= {rules.id for _, rules in PUBLISHED}


@EVERY
def test_hash_changes_with_options_added_later(game: str, rules: Ruleset) -> None:
    for option in catalogue()[game].options:
        if option.unhashed is not None:
            changed: dict[str, Any] = {option.name: another_value(option, rules)}
            assert replace(rules, **changed).hash != rules.hash


def test_rulesets_have_different_hashes() -> None:
    assert len({rules.hash for _, rules in PUBLISHED}) == len(PUBLISHED)
