"""Raises the version in every place that names it: ``make release VERSION=1.2.3``.

The version is ``dice_referee.__version__``; a test holds the other places to it.
"""

import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES: Mapping[str, str] = {
    "service/dice_referee/__init__.py": r'^(__version__ = ")([^"]+)',
    "deploy/compose.yaml": r"^(  image: dice-referee:\$\{REFEREE_VERSION:-)([^}]+)",
    "deploy/kubernetes/base/kustomization.yaml": r"^(    newTag: )(\S+)",
    "deploy/clients/typescript/package.json": r'^(  "version": ")([^"]+)',
    "deploy/README.md": r"^(export REFEREE_VERSION=)(\S+)",
}
"""Each file with the one pattern in it whose second group is the version."""
LAST = "tests/e2e/deploy/last-release"
"""File with the commit of the last release, from which the test of upgrades starts. The commit that
publishes a release changes versions alone, so the file names its parent.
"""
UNRELEASED = "## Unreleased\n"
"""The heading in the changelog of what the next release brings."""
WRITERS = (("tests.tools.bundle",), ("tests.tools.bundle", "release"))
"""Programs that write what follows from the version: the contract, and the one that is kept."""


def named(name: str) -> str:
    """The version in one of the ``PLACES``. Raises ValueError unless it stands there once."""
    [(_, version)] = re.findall(PLACES[name], (ROOT / name).read_text("utf-8"), re.MULTILINE)
    return str(version)


def version_key(version: str) -> tuple[int, ...]:
    """Sorts versions. Raises ValueError for what is not ``major.minor.patch``."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version!r} is no version: VERSION=1.2.3 is one")
    return tuple(map(int, version.split(".")))


def changes(text: str) -> str:
    """Returns the unreleased entries of a changelog. Raises ValueError if there are none."""
    entries = text.partition(UNRELEASED)[2].partition("\n## ")[0].strip()
    if not entries:
        raise ValueError("CHANGELOG.md has nothing unreleased")
    return entries


def head() -> str:
    """Returns the commit of the checkout. Raises ValueError outside a repository."""
    command = ["git", "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise ValueError("a release needs a repository with a commit")
    return done.stdout.strip()


def make_release(version: str, date: str) -> None:
    """Writes the version into its places, the commit, and the heading of the unreleased changes."""
    if version_key(version) <= version_key(named("service/dice_referee/__init__.py")):
        raise ValueError(f"{version} is not later than {named('service/dice_referee/__init__.py')}")
    changelog = ROOT / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    changes(text)
    commit = head()
    for name, pattern in PLACES.items():
        file = ROOT / name
        raised = re.sub(pattern, rf"\g<1>{version}", file.read_text("utf-8"), flags=re.MULTILINE)
        file.write_text(raised, "utf-8")
    (ROOT / LAST).write_text(f"{commit}\n", "utf-8")
    heading = f"{UNRELEASED}\n## {version} - {date}\n"
    changelog.write_text(text.replace(UNRELEASED, heading, 1), "utf-8")


if __name__ == "__main__":
    try:
        make_release(sys.argv[1], f"{datetime.now(UTC):%Y-%m-%d}")
    except ValueError as error:
        sys.exit(str(error))
    for program in WRITERS:
        subprocess.run([sys.executable, "-m", *program], cwd=ROOT, check=True)
