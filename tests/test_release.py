"""The version and the command that raises the version."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dice_referee import __version__
from dice_referee.api.contract import contract_version
from tests import quick_yaml
from tests.copying import checkout_copy
from tests.programs import run
from tests.tools.release import (
    PLACES,
    ROOT,
    SEMANTIC,
    UNRELEASED,
    archive,
    last_release,
    named,
    version_key,
)

SECTIONS = ("Breaks", "Added", "Deprecated", "Fixed")
"""Sections of a release in the changelog, in order."""
MOST_WORDS = 700
"""Maximum number of words of a release, besides its breaks."""


@pytest.mark.parametrize("name", PLACES)
def test_each_place_has_the_version(name: str) -> None:
    assert named(name) == __version__


@pytest.mark.parametrize("name", SEMANTIC)
def test_each_place_has_the_semantic_version(name: str) -> None:
    assert named(name) == contract_version(__version__)


def test_changelog_begins_with_unreleased_and_the_last_release() -> None:
    """The version is the last release, just published, or a later version in development."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    before, unreleased, _ = text.partition(UNRELEASED)
    assert unreleased
    assert "\n## " not in before
    version, _ = last_release()
    number, development, _ = __version__.partition(".dev")
    assert version_key(version) < version_key(number) if development else version == number


def test_changelog_is_short_and_tells_breaks_first() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, *parts = re.split(r"^### ", release, flags=re.MULTILINE)
        subject = heading.splitlines()[1:]
        if heading.strip() != "Unreleased":
            assert 1 <= sum(map(bool, subject)) <= 3, heading
        assert not any(line.startswith("- ") for line in subject), heading
        names = [part.splitlines()[0] for part in parts]
        assert names == [name for name in SECTIONS if name in names]
        counted = [heading, *(part for part in parts if not part.startswith("Breaks"))]
        assert sum(len(part.split()) for part in counted) <= MOST_WORDS, heading


def repository(home: Path) -> Path:
    """Makes a repository from a copy of the checkout, with an unreleased change."""
    checkout_copy(home)
    changelog = home / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace(UNRELEASED, f"{UNRELEASED}\n- News.\n", 1))
    run("git", "init", "-q", cwd=home)
    for name, value in (("user.name", "a"), ("user.email", "a@example.org")):
        run("git", "config", name, value, cwd=home)
    commit(home)
    return home


def commit(home: Path) -> None:
    run("git", "add", "--all", cwd=home)
    run("git", "commit", "-q", "-m", "all", cwd=home)


def released(home: Path, version: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.tools.release", version]
    return subprocess.run(command, cwd=home, capture_output=True, text=True)


def shown(home: Path, commit: str, name: str) -> str:
    """Returns a file of a commit."""
    return run("git", "show", f"{commit}:{name}", cwd=home).stdout


def version_in(text: str, pattern: str) -> str:
    [(_, version)] = re.findall(pattern, text, re.MULTILINE)
    return str(version)


@pytest.mark.long
def test_release_is_a_commit_before_the_next_version(tmp_path: Path) -> None:
    home = repository(tmp_path)
    done = released(home, "99.1.0")
    assert done.returncode == 0, done.stderr
    for at, package, semantic in (
        ("HEAD~1", "99.1.0", "99.1.0"),
        ("HEAD", "99.2.0.dev0", "99.2.0-dev.0"),
    ):
        for places, version in ((PLACES, package), (SEMANTIC, semantic)):
            for name, pattern in places.items():
                assert version_in(shown(home, at, name), pattern) == version, (at, name)
        contract = quick_yaml.load(shown(home, at, "openapi.yaml"))
        assert contract["info"]["version"] == semantic
        contracts = run("git", "ls-tree", "--name-only", f"{at}:tests/contract/released", cwd=home)
        assert contracts.stdout == "99.1.0.yaml\n"
    text = shown(home, "HEAD", "CHANGELOG.md")
    assert text.index(UNRELEASED) < text.index("## 99.1.0") < text.index("- News.")
    (heading,) = re.findall(r"^## 99\.1\.0 - \S+ \((\w+)\)$", text, re.MULTILINE)
    assert run("git", "rev-parse", "HEAD~1", cwd=home).stdout.startswith(heading)
    assert run("git", "status", "--porcelain", cwd=home).stdout == ""
    second = released(home, "99.2.0")
    assert (second.returncode, second.stderr) == (1, "CHANGELOG.md has nothing unreleased\n")


def test_refused_release_changes_nothing(tmp_path: Path) -> None:
    home = repository(tmp_path)
    (home / "new").touch()
    for version, fault in {
        "0.9.0": f"0.9.0 is not later than {last_release()[0]}",
        "1.0": "'1.0' is not a version",
        "1.0.0-rc1": "'1.0.0-rc1' is not a version",
        "": "'' is not a version",
        "99.1.0": "commit or remove your changes first",
    }.items():
        done = released(home, version)
        assert done.returncode == 1
        assert done.stderr.startswith(fault)
        assert done.stderr.count("\n") == 1, "one line"
    assert run("git", "status", "--porcelain", cwd=home).stdout == "?? new\n"


@pytest.mark.parametrize(
    ("package", "semantic"), [("0.10.0.dev0", "0.10.0-dev.0"), ("1.2.3", "1.2.3")]
)
def test_package_version_maps_to_a_semantic_version(package: str, semantic: str) -> None:
    assert contract_version(package) == semantic


def test_make_release_runs_the_command() -> None:
    make = ["make", "--dry-run", "release", "VERSION=99.1.0"]
    commands = subprocess.run(make, cwd=ROOT, capture_output=True, text=True).stdout
    assert '-m tests.tools.release "99.1.0"' in commands


def test_shallow_history_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.tools.release.last_release", lambda: ("0.9.0", "0" * 40))
    sentences = list[str]()
    assert archive(sentences.append) is None
    [sentence] = sentences
    assert sentence.endswith(": git fetch --unshallow")
