"""Every command of the README and of the guides is run, and what they show is what comes out."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from service.api.i18n import LANGUAGES, rulebook
from service.games import catalogue
from service.settings import CONSTANTS, MOST, Constants, Settings
from tests.e2e.guides.snippets import DOCUMENTS, GUIDES, ROOT, commands, renewed

README = ROOT / "README.md"
PROSE = (ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md")
LINK = re.compile(r"\]\((?!https?:)(?P<path>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")


def name(path: Path) -> str:
    return path.name


def anchors(text: str) -> set[str]:
    """Returns the anchors of the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_a_document_shows_what_comes_out(path: Path) -> None:
    text = path.read_text("utf-8")
    assert renewed(text) == text


@pytest.mark.parametrize("path", [*DOCUMENTS, *PROSE], ids=name)
def test_a_link_leads_somewhere(path: Path) -> None:
    for link in LINK.finditer(path.read_text("utf-8")):
        target = path.parent / link["path"] if link["path"] else path
        assert target.exists(), link[0]
        if link["anchor"]:
            assert link["anchor"] in anchors(target.read_text("utf-8")), link[0]


def test_readme_is_short_and_begins_with_a_picture() -> None:
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 120
    assert len(max(text.splitlines(), key=len)) <= 130
    [picture] = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert (ROOT / picture).stat().st_size < 150_000
    in_words, in_json = commands(text)
    assert "text/plain" in in_words.command
    assert in_json.output.count("\n") <= 12


def test_the_readme_counts_the_published_cases() -> None:
    files = (ROOT / "service" / "games").glob("*/cases.json")
    count = sum(len(json.loads(path.read_text("utf-8"))["cases"]) for path in files)
    assert f"to {count} published cases" in README.read_text("utf-8")


def test_the_readme_names_every_package_of_its_map() -> None:
    rows = re.findall(r"^\| (`(?:service|tests|deploy)[^|]*) \|", README.read_text("utf-8"), re.M)
    assert 7 <= len(rows) <= 10
    for name in re.findall(r"`([^`]+)`", " ".join(rows)):
        assert (ROOT / name).is_dir(), name


@pytest.mark.parametrize("path", PROSE, ids=name)
def test_project_documents_contain_no_invented_address(path: Path) -> None:
    assert not re.search(r"[\w.]+@[\w-]+\.\w+|https?://", path.read_text("utf-8"))


def test_the_readme_leads_to_every_guide() -> None:
    text = README.read_text("utf-8")
    for guide in GUIDES.glob("*.md"):
        assert f"({guide.relative_to(ROOT)})" in text


NAMES = {"en": "English", "de": "German", "fr": "French", "it": "Italian", "da": "Danish"}


def test_a_guide_says_which_languages_a_game_has() -> None:
    text = (GUIDES / "rulesets.md").read_text("utf-8").partition("## Languages")[2]
    rows = dict(re.findall(r"^\| (\w+) \| (.+) \|$", text, re.MULTILINE))
    assert rows.pop("game")
    outputs = {}
    for game, known in catalogue().items():
        rules = [NAMES[tag] for tag in rulebook(game).languages]
        more = [NAMES[tag] for tag in known.languages if tag not in rulebook(game).languages]
        besides = f"and {', '.join(more)}" if more else "the same"
        outputs[game] = f"{', '.join(rules)} | {besides}"
    assert {game.lower(): row for game, row in rows.items()} == outputs
    assert ", ".join(NAMES[tag] for tag in LANGUAGES[:-1]) + " and Italian" in text


def test_a_guide_names_every_setting_default_and_bound() -> None:
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


def test_a_guide_names_every_constant_and_its_value() -> None:
    text = (GUIDES / "settings.md").read_text("utf-8").partition("## No longer settings")[2]
    rows = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", text, re.MULTILINE)
    values = {field.name.upper(): str(field.default) for field in fields(Constants)}
    assert dict(rows) == values
