"""One version, and the command that raises it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dice_referee import __version__
from tests import quick_yaml
from tests.copying import checkout_copy
from tests.programs import run
from tests.tools.release import LAST, PLACES, ROOT, UNRELEASED, named

HEADINGS = re.compile(r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$", re.MULTILINE)


@pytest.mark.parametrize("name", PLACES)
def test_a_place_names_the_version(name: str) -> None:
    assert named(name) == __version__


def test_changelog_begins_with_unreleased_and_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    before, unreleased, after = text.partition(UNRELEASED)
    assert unreleased
    assert not HEADINGS.search(before)
    assert HEADINGS.findall(after)[0] == __version__


def test_changelog_is_short_and_names_each_release_subject() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert len(text.splitlines()) <= 230
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        if release.strip() == "Unreleased":
            continue
        heading, *parts = re.split(r"^### ", release, flags=re.MULTILINE)
        subject = heading.splitlines()[1:]
        assert 1 <= sum(map(bool, subject)) <= 3, heading
        assert not any(line.startswith("- ") for line in subject), heading
        names = [part.splitlines()[0] for part in parts]
        assert names == [name for name in ("Contract", "Operators", "Pages") if name in names]


def committed(home: Path) -> str:
    """Makes a repository with a commit and returns the commit."""
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    commit = (*author, "commit", "-q", "--allow-empty", "-m", "all")
    for command in (("init", "-q"), commit, ("rev-parse", "HEAD")):
        done = run("git", *command, cwd=home)
    return done.stdout.strip()


def released(home: Path, version: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.tools.release", version]
    return subprocess.run(command, cwd=home, capture_output=True, text=True)


def test_the_command_raises_it_in_every_place(tmp_path: Path) -> None:
    home = checkout_copy(tmp_path)
    commit = committed(home)
    changelog = home / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace(UNRELEASED, f"{UNRELEASED}\n- News.\n", 1))
    done = released(home, "99.1.0")
    assert done.returncode == 0, done.stderr
    for name, pattern in PLACES.items():
        [(_, version)] = re.findall(pattern, (home / name).read_text(), re.MULTILINE)
        assert version == "99.1.0", name
    releases = [path.name for path in (home / "tests/contract/released").iterdir()]
    assert releases == ["99.1.0.yaml"]
    for contract in ("openapi.yaml", f"tests/contract/released/{releases[0]}"):
        assert quick_yaml.load((home / contract).read_bytes())["info"]["version"] == "99.1.0"
    assert (home / LAST).read_text() == f"{commit}\n"
    text = changelog.read_text()
    assert HEADINGS.findall(text)[:2] == ["99.1.0", __version__]
    assert text.index(UNRELEASED) < text.index("## 99.1.0") < text.index("- News.")
    second = released(home, "99.2.0")
    assert (second.returncode, second.stderr) == (1, "CHANGELOG.md has nothing unreleased\n")


@pytest.mark.parametrize("version", ["0.0.1", "1.0", "1.0.0-rc1", ""])
def test_earlier_version_is_not_released(version: str, tmp_path: Path) -> None:
    for name in ("tests/tools/release.py", "CHANGELOG.md", *PLACES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    done = released(tmp_path, version)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, "one line"
    for name in PLACES:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_release_needs_a_commit(tmp_path: Path) -> None:
    for name in ("tests/tools/release.py", "CHANGELOG.md", *PLACES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"{UNRELEASED}\n- News.\n")
    done = released(tmp_path, "99.1.0")
    assert (done.returncode, done.stderr) == (1, "a release needs a repository with a commit\n")
    assert changelog.read_text() == f"{UNRELEASED}\n- News.\n"


def test_make_runs_the_command() -> None:
    make = ["make", "--dry-run", "release", "VERSION=99.1.0"]
    commands = subprocess.run(make, cwd=ROOT, capture_output=True, text=True).stdout
    assert '-m tests.tools.release "99.1.0"' in commands
