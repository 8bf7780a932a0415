"""Follows a guide that changes the project, in a copy of the project.

- A ```` ```diff ```` block begins with ``# `` and the name of a file. Its other lines are added
(``+``), removed (``-``) or unchanged. A block with only added lines creates the file.
- A ```` ```sh ```` block is run.
"""

from pathlib import Path

from tests.e2e.guides.snippets import blocks
from tests.programs import run

INSTALLED = ".venv/test.stamp"
"""File that make treats as up to date at any age."""


def follow(text: str, home: Path) -> set[str]:
    """Follows a guide in a copy of the checkout and returns the files that it edits."""
    edited = set()
    for language, block in blocks(text):
        if language == "diff":
            edited.add(edit(block, home))
        elif language == "sh":
            make = f"make --assume-old={INSTALLED} "
            run("bash", "-ec", block.replace("make ", make), cwd=home)
    return edited


def edit(block: str, home: Path) -> str:
    """Changes a file by a block and returns its name."""
    heading, *lines = block.splitlines()
    name = heading.removeprefix("# ")
    # Editors strip the space of an empty context line.
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
