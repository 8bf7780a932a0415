"""README and guides as a reader uses them: saved files, typed commands, shown output.

- ```` ```console ```` contains commands, each in a line after a ``$``, with their output.
- ```` ```bash ```` contains pasted commands without output.
- A block that begins with a file name in a comment is saved as that file.
- All other blocks are text only.

A long answer is indented and cut. ``...`` on its own line matches any lines, and within a line
for the rest of a string.

All commands of a document run in order in the same bash. After an intended change, ``python -m
tests.e2e.guides.snippets`` rewrites the outputs.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dice_referee.web.reference import indent
from tests.programs import PACKAGE, ROOT, SEARCHED, SOURCES, program
from tests.wire import Server, serving

GUIDES = PACKAGE / "web" / "guides"
DOCUMENTS = (ROOT / "README.md", *sorted(GUIDES.glob("*.md")))
SECONDS = 300
"""Timeout of a document in seconds. The longest document takes about five."""

BLOCK = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"(?://|#|<!--) (?P<name>[\w-]+\.[a-z]+)\b")
INSTALLED = f"""
dice-referee() {{ PYTHONPATH={ROOT} {sys.executable} -m service "$@"; }}
python3() {{ PYTHONPATH={SOURCES} {sys.executable} "$@"; }}
"""
"""Bash lines that define the wheel's command and library from the checkout."""
WIDTH = 88
"""Maximum characters of an answer on a single line."""
CUT = "..."

SERVICE = "localhost:8000"
"""Address of ``make run``."""


class Shown(NamedTuple):
    """A command and its shown output."""

    command: str
    output: str


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yields the language and the text of every block that has a language."""
    for match in BLOCK.finditer(text):
        yield match["language"], match["text"]


def files(text: str) -> dict[str, str]:
    """Returns the files that a reader of the document saves."""
    return {
        match["name"]: block
        for _, block in blocks(text)
        if (match := NAME.match(block)) is not None
    }


def commands(text: str) -> list[Shown]:
    """Lists the commands of a document, each with the output that the document shows."""
    examples = []
    for language, block in blocks(text):
        if language == "bash":
            examples.append(Shown(block, ""))
        elif language == "console":
            _, *typed = re.split(r"^\$ ", block, flags=re.MULTILINE)
            examples += [Shown(*example.split("\n", 1)) for example in typed]
    return examples


def run_commands(text: str, server: Server, home: Path) -> list[Shown]:
    """Runs a document's commands against a service and returns each with its output."""
    here = f"localhost:{server.port}"
    for name, content in files(text).items():
        (home / name).write_text(content.replace(SERVICE, here), "utf-8")
    typed = [example.command for example in commands(text)]
    # A NUL byte, which no command prints, separates the outputs.
    commands_of_bash = (f"{command}\nprintf '\\0'" for command in typed)
    script = "\n".join((INSTALLED, *commands_of_bash)).replace(SERVICE, here)
    with subprocess.Popen(
        ["bash", "-c", script],
        cwd=home,
        env={**os.environ, "PATH": SEARCHED},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    ) as bash:
        try:
            printed, _ = bash.communicate(timeout=SECONDS)
        finally:
            with suppress(ProcessLookupError):  # ends background processes, too
                os.killpg(bash.pid, signal.SIGKILL)
    outputs = printed.replace(here, SERVICE).split("\0")[:-1]
    assert len(outputs) == len(typed), printed
    return [
        Shown(command, output + "\n" if output and not output.endswith("\n") else output)
        for command, output in zip(typed, outputs, strict=True)
    ]


def laid_out(output: str) -> str:
    """Formats an output for a document: indents long lines of JSON."""
    return "".join(_laid_out(line) for line in output.splitlines(keepends=True))


def _laid_out(line: str) -> str:
    if len(line) <= WIDTH or not line.startswith("{"):
        return line
    return indent(json.loads(line), WIDTH) + "\n"


def shows(excerpt: str, output: str) -> bool:
    """Tells if an excerpt matches this output, in full or with cuts."""
    lines = (
        "(?:.*\\n)*?" if line.strip() == CUT else re.escape(line).replace(re.escape(CUT), ".*")
        for line in excerpt.splitlines(keepends=True)
    )
    return re.fullmatch("".join(lines), output) is not None


def document_text(text: str) -> list[Shown]:
    """Runs the commands of a document in a new directory against a new service."""
    if not commands(text):
        return []
    program("jq")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(app="tests.e2e.guides.app:app", WORKERS=1) as server,
    ):
        return run_commands(text, server, Path(home))


def renewed(text: str) -> str:
    """Returns the document with current outputs. A cut output stays if it still matches."""
    results = iter(zip(commands(text), document_text(text), strict=True))

    def now(old: Shown, new: Shown) -> str:
        output = laid_out(new.output)
        return f"$ {new.command}\n{old.output if shows(old.output, output) else output}"

    def block(match: re.Match[str]) -> str:
        if match["language"] == "bash":
            next(results)
        if match["language"] != "console":
            return match[0]
        typed = len(re.findall(r"^\$ ", match["text"], re.MULTILINE))
        return "".join(["```console\n", *(now(*next(results)) for _ in range(typed)), "```\n"])

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(renewed(document.read_text("utf-8")), "utf-8")
