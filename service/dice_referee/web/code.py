"""Code of guides: a head with its language, commands apart from what comes back, quiet colours."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markdown_it.token import Token

TYPED = frozenset({"bash", "sh"})
SESSION = "console"
PROMPT = re.compile(r"^\$ ", re.MULTILINE)
COMMAND = re.compile(r"(?:.*\\\n)*.*\n?")
OPEN_LINES = 14
"""Maximum lines of an output that is shown unfolded."""
PLAIN = frozenset({"", "diff", "text"})
COLOURED = re.compile(
    r"(?P<remark>(?<!\S)(?:#|//)\s.*|&lt;!--(?:[^-\n]|-(?!-&gt;))*(?:--&gt;)?)"
    r"|(?P<quote>\"(?:[^\"\\\n]|\\.)*\"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|`[^`]*`?)"
    r"|(?P<word>\b(?:\d[\d.]*|true|false|null|None|True|False|const|let|import|from|export|async"
    r"|await|function|def|for|in|of|if|else|return|new|class|with|type)\b)"
)


def fence(
    renderer: Any, tokens: Sequence[Token], at: int, options: object, environment: object
) -> str:
    """Renders a block of code of a guide."""
    return code_block(tokens[at].content, tokens[at].info.strip())


def code_block(text: str, language: str) -> str:
    """Returns a block of code as HTML. A script adds the button to its head."""
    shell = language in TYPED or language == SESSION
    if language == SESSION:
        parts = "".join(_session(text))
    else:
        parts = _command_block(text) if shell else _output_block(text, language)
    name = "shell" if shell else language or "text"
    return f'<div class="code"><p><span>{escape(name)}</span></p>{parts}</div>\n'


def _session(text: str) -> Iterator[str]:
    for entry in PROMPT.split(text)[1:]:
        command = COMMAND.match(entry)
        assert command is not None  # nosec B101
        yield _command_block(command[0])
        output = entry[command.end() :]
        lines = output.count("\n")
        if lines > OPEN_LINES:
            summary = f"<summary>{lines} lines come back</summary>"
            yield f"<details>{summary}{_output_block(output, SESSION)}</details>"
        elif output.strip():
            yield _output_block(output, SESSION)


def _command_block(command: str) -> str:
    return f'<pre class="typed"><code>{escape(command, quote=False)}</code></pre>'


def _output_block(text: str, language: str) -> str:
    escaped = escape(text, quote=False)
    if language not in PLAIN:
        escaped = COLOURED.sub(_span, escaped)
    return f"<pre><code>{escaped}</code></pre>"


def _span(part: re.Match[str]) -> str:
    return f'<span class="{part.lastgroup}">{part[0]}</span>'
