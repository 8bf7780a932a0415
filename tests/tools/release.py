"""Publishes a release and begins the next: ``make release VERSION=1.2.3``.

The version is ``dice_referee.__version__``. A test compares the other places with it. Between two
releases, the version is that of the next release in development, so that no two contracts share a
number.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from dice_referee.api.contract import contract_version

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "service/dice_referee/__init__.py"
PLACES: Mapping[str, str] = {
    PACKAGE: r'^(__version__ = ")([^"]+)',
    "deploy/compose.yaml": r"^(  image: dice-referee:\$\{REFEREE_VERSION:-)([^}]+)",
    "deploy/kubernetes/base/kustomization.yaml": r"^(    newTag: )(\S+)",
    "deploy/README.md": r"^(export REFEREE_VERSION=)(\S+)",
}
"""Each file with a pattern whose second group is the version."""
NPM = "deploy/clients/typescript/package.json"
SEMANTIC: Mapping[str, str] = {NPM: r'^(  "version": ")([^"]+)'}
"""Each file with a pattern whose second group is the semantic version."""
UNRELEASED = "## Unreleased\n"
"""Heading of unreleased changes in the changelog."""
HEADING = r"^## ({version}) - \d{{4}}-\d\d-\d\d(?: \((\w+)\))?$"
"""Heading of a release, with its commit."""
PARTS = ("service", "deploy", "openapi.yaml")
"""Parts of the project that a release runs with."""
CONTRACT = (sys.executable, "-m", "tests.tools.bundle")
"""Command that writes the contract. With ``release`` it stores the contract of the release."""


def named(name: str) -> str:
    """Returns the version in a place. Raises ValueError without a unique match."""
    pattern = {**PLACES, **SEMANTIC}[name]
    [(_, version)] = re.findall(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
    return str(version)


def last_release() -> tuple[str, str]:
    """Returns the version of the last release and its commit, according to the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(HEADING.format(version=r"[\d.]+"), text, re.MULTILINE)
    assert heading, "CHANGELOG.md names no release"
    return heading[1], heading[2]


def archive(say: Callable[[str], None]) -> bytes | None:
    """Returns an archive of the last release.

    Reports missing history and returns None.
    """
    _, commit = last_release()
    done = subprocess.run(["git", "archive", commit, *PARTS], cwd=ROOT, capture_output=True)
    if done.returncode:
        say(f"no commit {commit}, so from the head to the head: git fetch --unshallow")
        return None
    return done.stdout


def version_key(version: str) -> tuple[int, ...]:
    """Returns the sort key of a version. Raises ValueError for other forms than
    ``major.minor.patch``."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version!r} is not a version: VERSION=1.2.3 is one")
    return tuple(map(int, version.split(".")))


def after(version: str) -> str:
    """Returns the version that follows a release: the next minor version in development."""
    major, minor, _ = version_key(version)
    return f"{major}.{minor + 1}.0.dev0"


def git(*arguments: str) -> str:
    """Runs git in the checkout and returns its output. Raises ValueError on failure."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"git {arguments[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def check(version: str) -> None:
    """Raises ValueError if this version cannot be released now."""
    last, _ = last_release()
    if version_key(version) <= version_key(last):
        raise ValueError(f"{version} is not later than {last}")
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if not text.partition(UNRELEASED)[2].partition("\n## ")[0].strip():
        raise ValueError("CHANGELOG.md has nothing unreleased")
    if git("status", "--porcelain"):
        raise ValueError("commit or remove your changes first: git status lists them")


def write_version(version: str) -> None:
    """Writes a version of the package into every place, and the contract."""
    versions = {
        **dict.fromkeys(PLACES, version),
        **dict.fromkeys(SEMANTIC, contract_version(version)),
    }
    for name, pattern in {**PLACES, **SEMANTIC}.items():
        text = (ROOT / name).read_text("utf-8")
        text = re.sub(pattern, rf"\g<1>{versions[name]}", text, flags=re.MULTILINE)
        (ROOT / name).write_text(text, "utf-8")
    subprocess.run(CONTRACT, cwd=ROOT, check=True)


def replace_heading(old: str, new: str) -> None:
    changelog = ROOT / "CHANGELOG.md"
    changelog.write_text(changelog.read_text("utf-8").replace(old, new, 1), "utf-8")


def publish(version: str, date: str) -> None:
    """Commits the release, then the version after it with the commit of the release."""
    check(version)
    heading = f"## {version} - {date}"
    replace_heading(UNRELEASED, f"{UNRELEASED}\n{heading}\n")
    write_version(version)
    subprocess.run([*CONTRACT, "release"], cwd=ROOT, check=True)
    git("add", "--all")
    git("commit", "-q", "-m", f"release: publish {version}")
    replace_heading(f"{heading}\n", f"{heading} ({git('rev-parse', '--short=12', 'HEAD')})\n")
    write_version(after(version))
    git("commit", "-q", "-a", "-m", f"release: begin {contract_version(after(version))}")


if __name__ == "__main__":
    try:
        publish(sys.argv[1], f"{datetime.now(UTC):%Y-%m-%d}")
    except ValueError as error:
        sys.exit(str(error))
