"""Every command of the README and of the guides is run, and its output compared."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from dice_referee.api.i18n import LANGUAGES, rulebook
from dice_referee.games import catalogue
from dice_referee.rulebook.ruleset import OptionValue
from dice_referee.settings import CONSTANTS, Constants, Settings
from tests.e2e.guides.snippets import DOCUMENTS, GUIDES, renewed
from tests.programs import PACKAGE, ROOT
from tests.unlimited import MOST

README = ROOT / "README.md"
TESTS = ROOT / "tests" / "README.md"
PROSE = (TESTS, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md")
LINK = re.compile(r"\]\((?!https?:)(?P<path>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")
PYTHON = re.compile(r"```python\n(.+?)```", re.DOTALL)
FILE = re.compile(r"`((?:service|tests|deploy)(?:/[\w/.<>*]+)?)`")


def anchors(text: str) -> set[str]:
    """Returns the anchors of the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_document_shows_the_real_output(path: Path) -> None:
    text = path.read_text("utf-8")
    assert renewed(text) == text


def test_links_have_targets() -> None:
    for path in (*DOCUMENTS, *PROSE):
        for link in LINK.finditer(path.read_text("utf-8")):
            target = path.parent / link["path"] if link["path"] else path
            assert target.exists(), f"{path.name}: {link[0]}"
            if link["anchor"]:
                anchored = anchors(target.read_text("utf-8"))
                assert link["anchor"] in anchored, f"{path.name}: {link[0]}"


def test_named_files_exist() -> None:
    for path in (*DOCUMENTS, TESTS):
        for file in FILE.findall(path.read_text("utf-8")):
            assert "<" in file or [*ROOT.glob(file)], f"{path.name}: {file}"


@pytest.mark.parametrize("example", PYTHON.findall(TESTS.read_text("utf-8")))
def test_python_example_runs(example: str) -> None:
    exec(example, {})


def test_readme_counts_the_published_cases() -> None:
    files = (PACKAGE / "games").glob("*/cases.json")
    count = sum(len(json.loads(path.read_text("utf-8"))["cases"]) for path in files)
    assert f"against {count} published cases" in README.read_text("utf-8")


def test_project_documents_contain_no_invented_address() -> None:
    for path in PROSE:
        assert not re.search(r"[\w.]+@[\w-]+\.\w+|https?://", path.read_text("utf-8")), path.name


def test_readme_links_to_every_guide() -> None:
    text = README.read_text("utf-8")
    for guide in GUIDES.glob("*.md"):
        assert f"({guide.relative_to(ROOT)})" in text


NAMES = {"en": "English", "de": "German", "fr": "French", "it": "Italian", "da": "Danish"}


def test_guide_lists_the_languages_of_each_game() -> None:
    text = (GUIDES / "rulesets.md").read_text("utf-8").partition("## Languages")[2]
    rows = dict(re.findall(r"^\| (\w+) \| (.+) \|$", text, re.MULTILINE))
    assert rows.pop("game")
    outputs = {}
    for game, known in catalogue().items():
        rules = [NAMES[tag] for tag in rulebook(game).languages]
        more = [NAMES[tag] for tag in known.languages if tag not in rulebook(game).languages]
        additional = f"and {', '.join(more)}" if more else "the same"
        outputs[game] = f"{', '.join(rules)} | {additional}"
    assert {game.lower(): row for game, row in rows.items()} == outputs
    assert ", ".join(NAMES[tag] for tag in LANGUAGES[:-1]) + " and Italian" in text


def test_guide_lists_every_ruleset_and_option_of_tutto() -> None:
    text = (GUIDES / "rulesets.md").read_text("utf-8").partition("## Languages")[0]
    rows = [row.split(" | ") for row in re.findall(r"^\| (`.+) \|$", text, re.MULTILINE)]
    tutto = catalogue()["tutto"]
    defaults = tutto.default.options
    differences = {
        f"`{rules.id}`": ", ".join(
            f"`{name}` {option_value(value)}"
            for name, value in rules.options.items()
            if value != defaults[name]
        )
        for rules in tutto.rulesets.values()
        if rules is not tutto.default
    }
    assert {row[0]: row[2] for row in rows if len(row) == 3} == {
        f"`{tutto.default.id}`": "the default",
        **differences,
    }
    assert [row for row in rows if len(row) == 4] == [
        [
            f"`{option.name}`",
            ", ".join(map(option_value, option.values))
            or f"{option.minimum:,} to {option.maximum:,}",
            option.rule,
            option_value(defaults[option.name]),
        ]
        for option in tutto.options
    ]


def option_value(value: OptionValue) -> str:
    """Writes the value of an option as the guide does: a word as code."""
    return str(value) if type(value) is int else f"`{str(value).lower()}`"


def test_guide_lists_every_setting_with_default_and_bound() -> None:
    text = (GUIDES / "settings.md").read_text("utf-8").partition("## No longer settings")[0]
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|([^|]*)\|([^|]*)\|", text, re.MULTILINE)
    settings = [name for names, *_ in rows for name in re.findall(r"`([A-Z_]+)`", names)]
    assert set(settings) == {field.name.upper() for field in fields(Settings)} - CONSTANTS
    assert len(settings) == len(set(settings))
    for names, values, bounds in rows:
        most = [str(MOST[name]) for name in re.findall(r"`([A-Z_]+)`", names) if name in MOST]
        assert bounds.strip() == ", ".join(most)
        named = (getattr(Settings(), name.lower()) for name in re.findall(r"`([A-Z_]+)`", names))
        defaults = [str(int(value) if isinstance(value, bool) else value) for value in named]
        assert values.replace("`", "").strip() == ", ".join(defaults)


def test_guide_lists_every_constant_with_its_value() -> None:
    text = (GUIDES / "settings.md").read_text("utf-8").partition("## No longer settings")[2]
    rows = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", text, re.MULTILINE)
    values = {field.name.upper(): str(field.default) for field in fields(Constants)}
    assert dict(rows) == values
