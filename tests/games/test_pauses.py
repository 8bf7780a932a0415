"""Long computations pause at least once for each event, position, ruleset or step of a table."""

from collections.abc import Iterator
from typing import Any

import pytest

from dice_referee.games.tutto.values import odds
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.rulebook.pauses import PAUSE
from dice_referee.rulebook.value_tables import ValueTableCache
from tests.application import CLIENT, ROLL, TEXT

TURN: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-300"},
    {"type": "roll", "dice": [1, 2, 3, 3, 4, 6]},
    {"type": "keep", "dice": [1]},
    {"type": "roll", "dice": [2, 3, 4, 4, 5]},
    {"type": "bank"},
]
GAME = {"players": ["Ann", "Ben"], "log": TURN * 5}
EVENTS = len(TURN) * 5
POSITIONS = 30


@pytest.fixture
def pauses() -> Iterator[list[None]]:
    """The pauses of this thread, in a list."""
    pauses = list[None]()
    token = PAUSE.set(lambda: pauses.append(None))
    yield pauses
    PAUSE.reset(token)


@pytest.mark.parametrize(
    ("path", "body", "accept", "least"),
    [
        ("audits", GAME, "*/*", EVENTS),
        ("audits", GAME, TEXT, EVENTS),
        ("reviews", GAME, "*/*", EVENTS),
        ("reviews", {**GAME, "aim": "win"}, "*/*", 2 * EVENTS),
        ("comparisons", ROLL, "*/*", 4),
        ("adjudications/batch", {"positions": [ROLL] * POSITIONS}, TEXT, POSITIONS),
        ("adjudications/batch", {"positions": [{}] * POSITIONS}, "*/*", POSITIONS),
        ("odds/batch", {"positions": [{}] * POSITIONS}, "*/*", POSITIONS),
    ],
)
def test_long_computation_pauses(
    pauses: list[None], path: str, body: Any, accept: str, least: int
) -> None:
    answer = CLIENT.post(f"/v1/tutto/{path}", json=body, headers={"Accept": accept})
    assert answer.status_code == 200, answer.text
    assert len(pauses) >= least


def test_value_table_pauses_at_each_step(
    pauses: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ValueTableCache(ValueTables, odds.VALUE_TABLES.published, 64)
    monkeypatch.setattr(odds, "VALUE_TABLES", cache)
    monkeypatch.setattr("dice_referee.games.tutto.game.Tutto.value_tables", cache)
    assert CLIENT.post("/v1/tutto/odds", json={"reach": 7050}).status_code == 200
    assert len(pauses) >= 7050 // 50
