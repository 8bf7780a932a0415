"""Checks that the docstrings of the service say something new, and that they are short enough.

Names docstrings that add no word to the name and the types of what they describe, docstrings that
repeat another, and too many words in all. Run from the project's root:
``python -m tests.tools.docstrings``.
"""

import ast
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

SERVICE = Path("service")
MOST_WORDS = 33_000
"""Maximum number of words in all docstrings and comments."""
SHARE = 4
"""Number of words of which more than one must be new."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
ENDING = re.compile(r"(?<=\w{3})(?:ies|ings?|ed|es|e|s|y)$")


def stems(text: str) -> set[str]:
    """Returns the words of a text or of names, in lower case and without their endings."""
    return {ENDING.sub("", word.lower()) for word in WORD.findall(text)}


FILLERS = stems(
    "a all an and any are as at be by each every for from has have if in into is it its kind"
    " object of on one or that the them their these this those to value which with"
    " answer build call compute convert create give get make produce read return say show tell"
    " write yield"
)
"""Words that say nothing about what a docstring describes."""


class Docstring(NamedTuple):
    """Docstring, or a string after an assignment."""

    line: int
    text: str
    names: str
    """Names and types of what it describes, none for a module."""


def docstrings(tree: ast.Module) -> Iterator[Docstring]:
    """Yields all docstrings of a module, its own first."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        statements: list[ast.stmt] = body if isinstance(body, list) else []
        for index, statement in enumerate(statements):
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    described = statements[index - 1] if index else node
                    yield Docstring(statement.lineno, text, names_of(described))


def names_of(node: ast.AST) -> str:
    """Returns the names and types of a class, a function or an assignment."""
    parts: list[ast.AST | None] = []
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts = [node.args, node.returns]
        case ast.ClassDef():
            parts = [*node.bases]
        case ast.Assign():
            parts = [*node.targets]
        case ast.AnnAssign():
            parts = [node.target, node.annotation]
    return " ".join([getattr(node, "name", ""), *(ast.unparse(part) for part in parts if part)])


def is_empty(docstring: Docstring) -> bool:
    """Tells if at most one of four words is new. Docstrings of modules are never empty."""
    words = stems(docstring.text) - FILLERS
    new = words - stems(docstring.names)
    return bool(docstring.names.strip()) and SHARE * len(new) <= len(words)


def words_of(source: str) -> int:
    """Counts the words of all docstrings and comments of a module."""
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    texts = [token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT]
    texts += [docstring.text for docstring in docstrings(ast.parse(source))]
    return sum(len(text.split()) for text in texts)


def findings(sources: dict[str, str]) -> Iterator[str]:
    """Yields a line for each fault, by the texts of modules."""
    places = defaultdict[str, list[str]](list)
    for path, source in sources.items():
        for docstring in docstrings(ast.parse(source)):
            place, text = f"{path}:{docstring.line}", " ".join(docstring.text.split())
            places[text].append(place)
            if is_empty(docstring):
                yield f"{place}: adds no word to the name and the types: {text}"
    for text, copies in places.items():
        if len(copies) > 1:
            yield f"{' '.join(copies)}: copies: {text}"
    words = sum(map(words_of, sources.values()))
    if words > MOST_WORDS:
        yield f"{words} words of docstrings and comments, at most {MOST_WORDS}"


def main() -> int:
    """Prints the faults of the service, and returns 1 if it has any."""
    paths = sorted(SERVICE.rglob("*.py"))
    faults = list(findings({str(path): path.read_text("utf-8") for path in paths}))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
