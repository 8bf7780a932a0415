"""The README and the guides as a reader uses them: what is saved, what is typed, what is seen.

- ```` ```console ```` holds commands, each after a ``$`` and on one line, and what they print.
- ```` ```bash ```` holds what is pasted and what prints nothing.
- A block that begins with the name of a file in a comment is saved under that name.
- Everything else is only read.

A long answer is shown indented, and cut: ``...`` on a line of its own stands for any lines, within
a line for the rest of a text.

All commands of a document run in one bash, in their order. ``python -m tests.e2e.guides.snippets``
writes the outputs anew, after a change that means to.
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

from service.web.reference import indented
from tests.programs import SEARCHED, program
from tests.server.serving import Server, serving

ROOT = Path(__file__).resolve().parents[3]
GUIDES = ROOT / "service" / "web" / "guides"
DOCUMENTS = (ROOT / "README.md", *sorted(GUIDES.glob("*.md")))
SECONDS = 300
"""Seconds until a document is given up; the longest takes about five."""

BLOCK = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"(?://|#|<!--) (?P<name>[\w-]+\.[a-z]+)\b")
INSTALLED = f"""
dice-referee() {{ PYTHONPATH={ROOT} {sys.executable} -m service "$@"; }}
python3() {{ PYTHONPATH={ROOT}:{ROOT}/service/library {sys.executable} "$@"; }}
"""
"""The command of the wheel and its library, as bash knows them here: the checkout's."""
WIDTH = 88
"""Characters of an answer that are shown on one line."""
CUT = "..."

SERVICE = "localhost:8000"
"""Address of ``make run``."""


class Shown(NamedTuple):
    """A command and what it is shown to print."""

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


def ran(text: str, server: Server, home: Path) -> list[Shown]:
    """The commands of a document with what they print, run in a directory against a service."""
    here = f"localhost:{server.port}"
    for name, content in files(text).items():
        (home / name).write_text(content.replace(SERVICE, here), "utf-8")
    typed = [shown.command for shown in commands(text)]
    # Between any two commands stands a byte that none of them prints.
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
            with suppress(ProcessLookupError):  # and what it has left in the background
                os.killpg(bash.pid, signal.SIGKILL)
    outputs = printed.replace(here, SERVICE).split("\0")[:-1]
    assert len(outputs) == len(typed), printed
    return [
        Shown(command, output + "\n" if output and not output.endswith("\n") else output)
        for command, output in zip(typed, outputs, strict=True)
    ]


def laid_out(output: str) -> str:
    """An output as a document shows it: long lines of JSON are indented."""
    return "".join(_laid_out(line) for line in output.splitlines(keepends=True))


def _laid_out(line: str) -> str:
    if len(line) <= WIDTH or not line.startswith("{"):
        return line
    return indented(json.loads(line), WIDTH) + "\n"


def shows(excerpt: str, output: str) -> bool:
    """Tells if an excerpt matches this output, in full or with cuts."""
    lines = (
        "(?:.*\\n)*?" if line.strip() == CUT else re.escape(line).replace(re.escape(CUT), ".*")
        for line in excerpt.splitlines(keepends=True)
    )
    return re.fullmatch("".join(lines), output) is not None


def document_text(text: str) -> list[Shown]:
    """Runs the commands of a document in a directory and against a service of its own."""
    if not commands(text):
        return []
    program("jq")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(app="tests.e2e.guides.app:app", WORKERS=1) as server,
    ):
        return ran(text, server, Path(home))


def renewed(text: str) -> str:
    """The document, showing what its commands print now; what is cut stays so where it is true."""
    came = iter(zip(commands(text), document_text(text), strict=True))

    def now(old: Shown, new: Shown) -> str:
        output = laid_out(new.output)
        return f"$ {new.command}\n{old.output if shows(old.output, output) else output}"

    def block(match: re.Match[str]) -> str:
        if match["language"] == "bash":
            next(came)
        if match["language"] != "console":
            return match[0]
        typed = len(re.findall(r"^\$ ", match["text"], re.MULTILINE))
        return "".join(["```console\n", *(now(*next(came)) for _ in range(typed)), "```\n"])

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(renewed(document.read_text("utf-8")), "utf-8")
