"""Rules that answers cite: the whole list, for every kind of answer."""

from pathlib import Path
from typing import Any

import pytest

from tests import quick_yaml
from tests.application import answered

TABLES = [
    (path.parent.name, resource, rows)
    for path in sorted(Path(__file__).parent.glob("*/citations.yaml"))
    for resource, rows in quick_yaml.load(path.read_text("utf-8")).items()
]


@pytest.mark.parametrize(
    ("game", "resource", "rows"), TABLES, ids=[f"{game}:{verb}" for game, verb, _ in TABLES]
)
def test_answer_cites_all_its_rules(game: str, resource: str, rows: dict[str, Any]) -> None:
    cited, expected = dict[str, list[str]](), dict[str, list[str]]()
    for title, (question, rules) in rows.items():
        answer = answered(game, resource, question)
        # A refused transition would cite rules as well.
        assert resource != "transitions" or answer["legal"], title
        cited[title], expected[title] = answer["rules"], rules.split()
    assert cited == expected
