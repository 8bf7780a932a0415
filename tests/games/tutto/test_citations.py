"""Which rules an answer rests on: the whole list, for every kind of answer."""

from typing import Any

import pytest

from tests.games.test_laws import answered, ask

ON_BANK = {"options": {"deduction": "on-bank"}}
KEEPS_CARRIED = {"options": {"sits_out_loses_carried": False}}
FLOOR = {"options": {"score_floor": "zero"}}
TURN = {"options": {"leaders": "turn", "leader_draws_plus_minus": "plays"}}
EXACTLY = {"options": {"plus_minus_pays": "exactly"}}
LAST_DIE: dict[str, Any] = {"card": "plus-minus", "keeps": [[5, 5], [5, 5], [5]], "roll": [5]}
LEADING = {"scores": [2000, 500], "player": 0}
TRAILING = {"scores": [500, 2000], "player": 0}
NEAR = {"scores": [5900, 500], "player": 0}

ADJUDICATIONS: list[tuple[str, dict[str, Any], str]] = [
    ("a single", {"card": "bonus-200", "roll": [1, 2, 2, 3, 4, 6]}, "T1.2 T2.2 T2.5"),
    ("a triple", {"card": "double", "roll": [2, 2, 2, 3, 4, 6]}, "T1.3 T2.2 T2.5"),
    (
        "a Tutto on a bonus",
        {"card": "bonus-200", "keeps": [[2, 2, 2]], "roll": [1, 1, 5]},
        "T1.2 T1.3 T2.2 T2.5 T3.1 T3.2 T5.3",
    ),
    (
        "a Tutto on a double",
        {"card": "double", "keeps": [[1, 1, 5, 5, 5]], "roll": [1]},
        "T1.2 T1.3 T2.2 T2.5 T3.1 T3.2 T5.4",
    ),
    ("a Niete", {"card": "bonus-200", "keeps": [[1]], "roll": [2, 2, 3, 4, 6]}, "T1.2 T2.1"),
    (
        "a Niete that loses what was carried",
        {"card": "bonus-200", "roll": [2, 2, 3, 4, 6, 6], "carried": 500},
        "T2.1 T3.3",
    ),
    ("firework", {"card": "firework", "roll": [1, 2, 2, 3, 4, 6]}, "T1.2 T2.2 T5.2"),
    (
        "a Tutto on firework",
        {"card": "firework", "keeps": [[1, 1, 5]], "roll": [3, 3, 3]},
        "T1.2 T1.3 T2.2 T3.1 T5.2",
    ),
    (
        "a firework's Niete, with points carried",
        {"card": "firework", "roll": [2, 2, 3, 4, 6, 6], "carried": 500},
        "T2.1 T5.2",
    ),
    (
        "a firework's Niete with deductions that waited",
        {
            **ON_BANK,
            **TRAILING,
            "card": "firework",
            "roll": [2, 2, 3, 4, 6, 6],
            "carried": 1000,
            "pending_deductions": 1,
        },
        "T2.1 T5.2 T5.5 T5.5a T5.5d",
    ),
    ("straight", {"card": "straight", "keeps": [[1, 2]], "roll": [3, 3, 1, 1]}, "T2.2 T5.6"),
    (
        "a whole straight",
        {"card": "straight", "keeps": [[1, 2, 3, 4, 5]], "roll": [6]},
        "T2.2 T2.5 T3.1 T3.2 T5.6",
    ),
    (
        "a straight's Niete",
        {"card": "straight", "keeps": [[1, 2, 3]], "roll": [1, 2, 3]},
        "T2.1 T5.6",
    ),
    ("plus-minus", {"card": "plus-minus", "roll": [1, 2, 2, 3, 4, 6]}, "T1.2 T2.2 T5.5"),
    (
        "a Tutto on plus-minus",
        {"card": "plus-minus", "keeps": [[1, 1, 1, 5, 5]], "roll": [5]},
        "T1.2 T1.3 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d",
    ),
    (
        "a Tutto on plus-minus above a floor, the scores unknown",
        {**FLOOR, "card": "plus-minus", "keeps": [[5, 5], [5, 5], [5]], "roll": [5]},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d T5.5e",
    ),
    (
        "a Tutto on plus-minus far above a floor",
        {**FLOOR, **TRAILING, "card": "plus-minus", "keeps": [[5, 5], [5, 5], [5]], "roll": [5]},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d",
    ),
    (
        "a Tutto on plus-minus down to a floor",
        {
            **FLOOR,
            **TRAILING,
            "scores": [500, 900],
            "card": "plus-minus",
            "keeps": [[5, 5], [5, 5], [5]],
            "roll": [5],
        },
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d T5.5e",
    ),
    (
        "a Tutto on plus-minus by who leads with carried points",
        {**TURN, **TRAILING, **LAST_DIE, "carried": 1550},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5b T5.5d T5.5g",
    ),
    (
        "a Tutto on plus-minus by who is behind with carried points too",
        {**TURN, **TRAILING, **LAST_DIE, "carried": 1450},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d",
    ),
    (
        "a Tutto on plus-minus that pays exactly 1000",
        {**EXACTLY, **LAST_DIE, "carried": 50},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d T5.5h",
    ),
    (
        "a Tutto on plus-minus that pays exactly 1000 beside nothing",
        {**EXACTLY, **LAST_DIE},
        "T1.2 T2.2 T2.5 T3.1 T3.2 T5.5 T5.5a T5.5d",
    ),
    (
        "a bank that others' points wait for",
        {
            **ON_BANK,
            **TRAILING,
            "card": "double",
            "roll": [1, 2, 2, 3, 4, 6],
            "carried": 1000,
            "pending_deductions": 1,
        },
        "T1.2 T2.2 T2.5 T5.5 T5.5a T5.5d",
    ),
    (
        "a bank that wins",
        {**NEAR, "card": "bonus-200", "roll": [1, 2, 2, 3, 4, 6]},
        "T1.2 T2.2 T2.5 T6.2 T6.3",
    ),
    (
        "a clover's first Tutto",
        {"card": "clover", "keeps": [[1, 1, 1]], "roll": [1, 5, 5]},
        "T1.2 T1.3 T2.2 T3.1 T5.7",
    ),
    ("a clover's Niete", {"card": "clover", "roll": [2, 2, 3, 4, 6, 6]}, "T2.1 T5.7"),
]

STEPS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("a draw", {}, {"type": "draw", "card": "firework"}, "T4.2"),
    ("a stop", {}, {"type": "draw", "card": "stop"}, "T4.2 T5.1"),
    ("a stop that costs", {"carried": 50}, {"type": "draw", "card": "stop"}, "T3.3 T4.2 T5.1"),
    ("sitting out", LEADING, {"type": "draw", "card": "plus-minus"}, "T4.2 T5.5b"),
    (
        "sitting out at a price",
        {**LEADING, "carried": 300},
        {"type": "draw", "card": "plus-minus"},
        "T4.2 T5.5b T5.5f",
    ),
    (
        "sitting out and winning",
        {**KEEPS_CARRIED, **NEAR, "carried": 300},
        {"type": "draw", "card": "plus-minus"},
        "T4.2 T5.5b T5.5f T6.2 T6.3",
    ),
    (
        "a plus-minus that carried points make a leader play",
        {**TURN, **TRAILING, "carried": 1500},
        {"type": "draw", "card": "plus-minus"},
        "T4.2 T5.5b T5.5g",
    ),
    (
        "a plus-minus whose player leads on the sheet",
        {**TURN, **LEADING, "carried": 1500},
        {"type": "draw", "card": "plus-minus"},
        "T4.2 T5.5b",
    ),
    ("a roll", {"card": "double"}, {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]}, "T1.1"),
    ("a Niete", {"card": "double"}, {"type": "roll", "dice": [2, 2, 3, 4, 6, 6]}, "T1.1 T2.1"),
    (
        "a Niete on plus-minus that loses what was carried",
        {"card": "plus-minus", "carried": 300},
        {"type": "roll", "dice": [2, 2, 3, 4, 6, 6]},
        "T1.1 T2.1 T3.3 T5.5",
    ),
    (
        "a firework's Niete",
        {"card": "firework", "carried": 300},
        {"type": "roll", "dice": [2, 2, 3, 4, 6, 6]},
        "T1.1 T2.1 T5.2",
    ),
    (
        "a keep",
        {"card": "double", "roll": [1, 2, 2, 2, 4, 6]},
        {"type": "keep", "dice": [1, 2, 2, 2]},
        "T1.2 T1.3 T2.2",
    ),
    (
        "a keep that is a Tutto",
        {"card": "double", "roll": [1, 1, 2, 2, 2, 5]},
        {"type": "keep", "dice": [1, 1, 2, 2, 2, 5]},
        "T1.2 T1.3 T2.2 T3.1 T3.2 T5.4",
    ),
    (
        "a keep on plus-minus that is a Tutto whose deduction waits",
        {**ON_BANK, **TRAILING, "card": "plus-minus", "keeps": [[1, 1, 1, 5, 5]], "roll": [1]},
        {"type": "keep", "dice": [1]},
        "T1.2 T2.2 T3.1 T3.2 T5.5 T5.5d",
    ),
    (
        "the winning keep on clover",
        {"card": "clover", "tuttos": 1, "keeps": [[1, 1, 1, 5, 5]], "roll": [1], "carried": 300},
        {"type": "keep", "dice": [1]},
        "T1.2 T2.2 T3.1 T5.7 T6.3",
    ),
    (
        "a bank",
        {"card": "double", "roll": [1, 2, 2, 3, 4, 6]},
        {"type": "bank"},
        "T1.2 T2.5",
    ),
    (
        "a bank with a deduction that wins",
        {
            **ON_BANK,
            "scores": [5900, 5950],
            "player": 0,
            "card": "bonus-200",
            "roll": [1, 2, 2, 3, 4, 6],
            "carried": 1000,
            "pending_deductions": 1,
        },
        {"type": "bank"},
        "T1.2 T2.5 T5.5 T5.5a T5.5d T6.2 T6.3",
    ),
    (
        "a bank whose deduction spares the leader, who rolls",
        {
            **ON_BANK,
            "scores": [2000, 300],
            "player": 0,
            "card": "bonus-200",
            "roll": [1, 2, 2, 3, 4, 6],
            "carried": 1000,
            "pending_deductions": 1,
        },
        {"type": "bank"},
        "T1.2 T2.5 T5.5 T5.5a T5.5b T5.5d",
    ),
]

DRAW_STOP = {"type": "draw", "card": "stop"}
CLOVER: list[dict[str, Any]] = [
    {"type": "draw", "card": "clover"},
    {"type": "roll", "dice": [1, 1, 1, 5, 5, 5]},
    {"type": "keep", "dice": [1, 1, 1, 5, 5, 5]},
    {"type": "roll", "dice": [2, 2, 2, 5, 5, 1]},
    {"type": "keep", "dice": [2, 2, 2, 5, 5, 1]},
]
SCORE_1000: list[dict[str, Any]] = [
    {"type": "draw", "card": "double"},
    {"type": "roll", "dice": [1, 1, 1, 2, 3, 4]},
    {"type": "bank"},
]
GAMES: list[tuple[str, dict[str, Any], list[dict[str, Any]], str]] = [
    ("no event yet", {}, [], "T6.1"),
    ("a stop", {}, [DRAW_STOP], "T4.2 T5.1 T6.1"),
    (
        "a won clover",
        {},
        [DRAW_STOP, *CLOVER],
        "T1.1 T1.2 T1.3 T2.2 T3.1 T4.2 T5.1 T5.7 T6.1 T6.3 T6.4",
    ),
    (
        "a target reached",
        {"options": {"target": 1000}},
        SCORE_1000,
        "T1.1 T1.3 T2.5 T4.2 T6.1 T6.2 T6.3 T6.4",
    ),
    (
        "a bank after the draw",
        {},
        [{"type": "draw", "card": "double"}, {"type": "bank"}],
        "T2.5 T4.2 T6.1",
    ),
]

ODDS: list[tuple[str, dict[str, Any], str]] = [
    ("a turn that has not begun", {}, "O1 O2 O3 O4 O5 O7 T4.1 T4.2"),
    ("a chance", {"reach": 500}, "O1 O2 O3 O4 O6 O7 T4.1 T4.2"),
    ("an empty pile", {"pile": {}}, "O1 O2 O3 O4 O5 O7 T4.1 T4.2 T4.3"),
    ("a leader who draws", LEADING, "O1 O2 O3 O4 O5 O7 O8 T4.1 T4.2 T5.5b T5.5f"),
    (
        "one whom carried points make the leader",
        {"options": {"leaders": "turn"}, **TRAILING, "carried": 1550},
        "O1 O2 O3 O4 O5 O7 O8 T4.1 T4.2 T5.5b T5.5f T5.5g",
    ),
    (
        "one who is level with carried points",
        {"options": {"leaders": "turn"}, **TRAILING, "carried": 1500},
        "O1 O2 O3 O4 O5 O7 T4.1 T4.2",
    ),
    (
        "one whom this card can make the leader",
        {"options": {"leaders": "turn"}, **TRAILING, "card": "straight"},
        "O1 O2 O3 O4 O5 O7 O8 O9 T1.1 T4.1 T5.5b T5.5f T5.5g T5.6",
    ),
    (
        "a plus-minus that pays exactly 1000",
        {**EXACTLY, "card": "plus-minus", "carried": 50},
        "O1 O2 O3 O4 O5 O7 O9 T1.1 T4.1 T5.5 T5.5h",
    ),
    ("one who does not lead", TRAILING, "O1 O2 O3 O4 O5 O7 T4.1 T4.2"),
    ("a roll", {"card": "straight"}, "O1 O2 O3 O4 O5 O7 O9 T1.1 T4.1 T5.6"),
    (
        "a choice",
        {"card": "bonus-200", "keeps": [[2, 2, 2]], "roll": [1, 1, 6]},
        "O1 O2 O3 O4 O5 O7 O9 T1.2 T1.3 T2.2 T2.5 T4.1",
    ),
    (
        "a Tutto that no roll follows",
        {"card": "double", "keeps": [[1, 1, 5, 5, 5]], "roll": [1]},
        "O1 O2 O4 O5 O7 T1.2 T1.3 T2.2 T2.5 T3.1 T3.2 T4.1 T5.4",
    ),
]


@pytest.mark.parametrize(("title", "request_", "rules"), ODDS, ids=[a[0] for a in ODDS])
def test_odds_cite(title: str, request_: dict[str, Any], rules: str) -> None:
    assert answered("tutto", "odds", request_)["rules"] == rules.split()


@pytest.mark.parametrize(
    ("title", "request_", "rules"), ADJUDICATIONS, ids=[a[0] for a in ADJUDICATIONS]
)
def test_an_adjudication_cites(title: str, request_: dict[str, Any], rules: str) -> None:
    assert answered("tutto", "adjudications", request_)["rules"] == rules.split()


@pytest.mark.parametrize(("title", "position", "event", "rules"), STEPS, ids=[s[0] for s in STEPS])
def test_a_transition_cites(
    title: str, position: dict[str, Any], event: dict[str, Any], rules: str
) -> None:
    step = answered("tutto", "transitions", {**position, "event": event})
    assert step["legal"]
    assert step["rules"] == rules.split()


@pytest.mark.parametrize(("title", "table", "log", "rules"), GAMES, ids=[g[0] for g in GAMES])
def test_an_audit_cites(
    title: str, table: dict[str, Any], log: list[dict[str, Any]], rules: str
) -> None:
    answer = answered("tutto", "games", {**table, "players": ["Ada", "Ben"], "log": log})
    assert answer["rules"] == rules.split()


def test_a_clover_win_closes_the_sheet_with_the_scores_as_they_were() -> None:
    log = [*SCORE_1000, *CLOVER]
    answer = answered("tutto", "games", {"players": ["Ada", "Ben"], "log": log})
    assert answer["sheet"] == [[1000, 0], [1000, 0]]
    assert answer["scores"] == [1000, 0]
    # Who wins by clover may have the fewest points: the others' lowest score has lost.
    assert (answer["winners"], answer["losers"]) == ([1], [0])


def test_every_unfit_keep_is_found_also_on_a_straight() -> None:
    keeps = {"card": "double", "keeps": [[2], [3], [1]], "roll": [1, 1, 1]}
    findings = ask("tutto", "adjudications", keeps).get_json()["findings"]
    assert [finding["pointer"] for finding in findings] == ["/keeps/0/0", "/keeps/1/0"]
    straight = {"card": "straight", "keeps": [[1], [2, 1], [3, 1]], "roll": [1]}
    findings = ask("tutto", "adjudications", straight).get_json()["findings"]
    assert [finding["pointer"] for finding in findings] == ["/keeps/1/1", "/keeps/2/1"]
