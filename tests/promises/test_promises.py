"""The sentences of guides that promise something, and the tests that hold them.

``<guide>.toml`` beside this file lists every sentence of a guide in its order: each names the
``tests`` that fail where the sentence is no longer true, or says ``why_not`` it promises nothing.
A sentence that is new or changed fails here until it has its row.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "service/web/guides"
TABLES = sorted(Path(__file__).parent.glob("*.toml"))

FENCED = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"\n(?=(?:- |\d+\. |\|))")
"""The beginning of a list item or a row of a table."""
MARK = re.compile(r"^(?:- |\d+\. )")
END = re.compile(r"(?:(?<=[.:!?])|(?<=[.:!?]\*\*)) (?=[\"`*(\[]*[A-Z])")
"""The space between two sentences."""


def sentences(markdown: str) -> Iterator[str]:
    """Yields every sentence and row of a guide, without headings, code and heads of tables."""
    for paragraph in re.split(r"\n{2,}", FENCED.sub("\n", markdown)):
        if paragraph.startswith("#"):
            continue
        for part in ITEM.split(paragraph.strip("\n")):
            line = " ".join(MARK.sub("", part).split())
            if line.startswith("|"):
                yield line
            elif line:
                yield from END.split(line)


def told(guide: str) -> list[str]:
    """Returns the sentences of a guide; of a table only its rows."""
    text = (GUIDES / f"{guide}.md").read_text("utf-8")
    guide_sentences = list(sentences(text.partition("\n---\n")[2]))
    rules = {place for place, line in enumerate(guide_sentences) if re.fullmatch(r"[|\- ]+", line)}
    return [
        line
        for place, line in enumerate(guide_sentences)
        if place not in rules and place + 1 not in rules
    ]


def rows(table: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(table.read_text("utf-8"))["sentence"]
    return rows


@cache
def names_of(path: Path) -> frozenset[str]:
    """Returns the names of the tests in a module."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_every_sentence_of_a_guide_has_its_row(table: Path) -> None:
    assert [row["text"] for row in rows(table)] == told(table.stem)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_every_promise_names_tests_that_exist(table: Path) -> None:
    for row in rows(table):
        assert set(row) in ({"text", "tests"}, {"text", "why_not"}), row
        assert row.get("tests") or row.get("why_not"), f"neither tests nor a reason: {row}"
        for name in row.get("tests", ()):
            module, _, test = name.partition("::")
            assert test in names_of(ROOT / module), f"{row['text']}: no test {name}"


def test_the_guides_that_promise_have_their_tables() -> None:
    assert {table.stem for table in TABLES} == {"compatibility", "fairness"}
