"""Each chapter of a guide that promises something has tests, which ``promises.toml`` names."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.e2e.guides.snippets import GUIDES
from tests.programs import ROOT

PROMISES = tomllib.loads(Path(__file__).with_name("promises.toml").read_text("utf-8"))
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("guide", PROMISES)
def test_each_chapter_of_promises_names_its_tests(guide: str) -> None:
    text = FENCED.sub("", (GUIDES / f"{guide}.md").read_text("utf-8"))
    assert [*PROMISES[guide]] == re.findall("^##? (.+)$", text, re.MULTILINE)


@pytest.mark.parametrize("guide", PROMISES)
def test_tests_of_promises_exist(guide: str) -> None:
    for names in PROMISES[guide].values():
        assert names
        for module, _, test in (name.partition("::") for name in names):
            assert f"\ndef {test}(" in (ROOT / module).read_text("utf-8"), f"{module}: {test}"


def test_guides_contain_no_names_of_tests() -> None:
    assert [
        path.name for path in GUIDES.glob("*.md") if "::" + "test_" in path.read_text("utf-8")
    ] == []
