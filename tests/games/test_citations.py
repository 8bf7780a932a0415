"""Rules that answers cite: the whole list, for every kind of answer."""

from pathlib import Path
from typing import Any

import pytest

from tests import quick_yaml
from tests.games.test_laws import answered

ROWS = [
    pytest.param(path.parent.name, resource, question, rules, id=f"{path.parent.name}:{title}")
    for path in sorted(Path(__file__).parent.glob("*/citations.yaml"))
    for resource, rows in quick_yaml.load(path.read_text("utf-8")).items()
    for title, (question, rules) in rows.items()
]


@pytest.mark.parametrize(("game", "resource", "question", "rules"), ROWS)
def test_an_answer_cites_all_its_rules(
    game: str, resource: str, question: dict[str, Any], rules: str
) -> None:
    answer = answered(game, resource, question)
    assert answer["rules"] == rules.split()
    # A refused transition would cite rules as well.
    assert resource != "transitions" or answer["legal"]
