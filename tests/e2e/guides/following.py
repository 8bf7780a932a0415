"""The guides that change the project, followed in a copy of it.

- A ```` ```diff ```` block begins with ``# `` and the name of a file. Its other lines are added
  (``+``), removed (``-``), or stand there already; without the latter two the file is new.
- A ```` ```sh ```` block is run.
"""

from pathlib import Path

from tests.e2e.clients.running import run
from tests.e2e.guides.snippets import blocks

INSTALLED = ".venv/test.stamp"
"""File that make takes for up to date, however old it is."""


def follow(text: str, home: Path) -> set[str]:
    """Does in a copy of the checkout what a guide says; answers which files it edits."""
    edited = set()
    for language, block in blocks(text):
        if language == "diff":
            edited.add(edit(block, home))
        elif language == "sh":
            make = f"make --assume-old={INSTALLED} "
            run("bash", "-ec", block.replace("make ", make), cwd=home)
    return edited


def edit(block: str, home: Path) -> str:
    """Changes one file as the block says; answers its name."""
    heading, *lines = block.splitlines()
    name = heading.removeprefix("# ")
    # An editor takes the space from the end of an empty line.
    marked = [line or " " for line in lines]
    before = "".join(f"{line[1:]}\n" for line in marked if line[0] in " -")
    after = "".join(f"{line[1:]}\n" for line in marked if line[0] in " +")
    assert "".join(sorted({line[0] for line in marked})).strip(" +-") == "", name
    if not before:
        assert not (home / name).exists(), f"{name} is there already"
        (home / name).write_text(after, "utf-8")
        return name
    text = (home / name).read_text("utf-8")
    assert text.count(before) == 1, f"{name} has not once:\n{before}"
    (home / name).write_text(text.replace(before, after), "utf-8")
    return name
