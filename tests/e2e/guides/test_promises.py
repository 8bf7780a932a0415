"""Promises of the guides name their tests in comments that pages do not show."""

import re

from tests.application import get
from tests.e2e.guides.snippets import GUIDES
from tests.programs import ROOT

COMMENT = re.compile(r"^\n<!-- tests:((?:\s+tests/[\w/]+\.py::test_\w+)+) -->\n$", re.MULTILINE)
PROMISING = {"compatibility", "fairness"}


def test_promises_of_guides_name_tests_that_exist() -> None:
    promising = set()
    for guide in GUIDES.glob("*.md"):
        text = guide.read_text("utf-8")
        names = " ".join(COMMENT.findall(text + "\n")).split()
        assert len(names) == text.count("::test_"), f"{guide.name}: a malformed comment"
        for name in names:
            module, _, test = name.partition("::")
            assert f"\ndef {test}(" in (ROOT / module).read_text("utf-8"), f"{guide.name}: {name}"
            promising.add(guide.stem)
    assert promising == PROMISING


def test_pages_show_code_and_no_comments() -> None:
    for name in PROMISING:
        page = get(f"/guides/{name}").get_data(as_text=True)
        assert "!--" not in page
        assert "::test_" not in page
    assert "&lt;!-- table.html" in get("/guides/front-end").get_data(as_text=True)
