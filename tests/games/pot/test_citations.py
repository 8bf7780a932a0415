"""Which rules an answer rests on: the whole list, for every kind of answer."""

from typing import Any

import pytest

from service.games import verbs
from service.games.pot.game import GAME
from tests.games.test_laws import answered

TABLE = {"coins": [5, 3, 2], "pot": 2, "bank": 43, "player": 0}
HELD = {**TABLE, "holder": 2, "to_beat": 9}
HELD_BY_NEXT = {**TABLE, "holder": 1, "to_beat": 15}
NO_BANK = {"coins": [20, 17, 16], "pot": 2, "bank": 0, "player": 0, "holder": 2, "to_beat": 9}
RICH = {"coins": [22, 24, 5], "pot": 2, "bank": 2, "player": 0, "holder": 1, "to_beat": 15}
TIE = {"coins": [26, 24, 1], "pot": 2, "bank": 2, "player": 0, "holder": 1, "to_beat": 15}
LAST = {"coins": [1, 26, 26], "pot": 0, "bank": 2, "player": 2, "tied": [1, 2], "sums": [7]}

ADJUDICATIONS: list[tuple[str, dict[str, Any], list[Any], str]] = [
    ("no combo", HELD, [5, 1, 1], "P2.1 P2.4 P3.1"),
    ("1 2 3", HELD, [1, 2, 3], "P2.1 P2.4 P4.1"),
    ("2 3 4", HELD, [2, 3, 4], "P2.1 P2.4 P3.1 P4.2"),
    ("3 4 5", HELD, [3, 4, 5], "P2.1 P2.4 P3.1 P4.3"),
    ("2 2 2", HELD, [2, 2, 2], "P2.1 P2.4 P3.1 P4.5"),
    ("3 3 3", HELD, [3, 3, 3], "P2.1 P2.4 P3.1 P4.6"),
    ("4 4 4", HELD, [4, 4, 4], "P2.1 P2.4 P3.1 P4.7"),
    ("5 5 5", HELD, [5, 5, 5], "P2.1 P2.4 P3.1 P4.8"),
    ("4 2 0", HELD, [4, 2, "P"], "P2.1 P2.4 P3.1 P4.9"),
    ("2 3 4 from an empty bank", NO_BANK, [2, 3, 4], "P2.1 P2.4 P3.1 P4.2 P6.1"),
    ("3 4 5 with an empty bank", NO_BANK, [3, 4, 5], "P2.1 P2.4 P3.1 P4.3 P6.1"),
    ("the next player's round", HELD_BY_NEXT, [5, 1, 1], "P2.1 P2.4 P3.1 P3.2 P3.3"),
    ("the end of the game", RICH, [5, 1, 1], "P2.1 P2.4 P3.1 P3.2 P5.1"),
    ("a tie", TIE, [5, 1, 1], "P2.1 P2.4 P3.1 P3.2 P5.1 P6.2"),
    ("1 1 1", HELD, [1, 1, 1], "P2.2"),
    ("1 1 1 before the holder", HELD_BY_NEXT, [1, 1, 1], "P2.2 P3.2 P3.3"),
    ("1 1 1 by a poor player", {**HELD_BY_NEXT, "player": 2}, [1, 1, 1], "P2.2 P6.1"),
    ("P O T", HELD, ["P", "O", "T"], "P2.3 P3.3 P4.4"),
    # The bank has nothing to pay, neither the bonus nor the next stake.
    (
        "P O T and an empty bank",
        {**NO_BANK, "options": {"target": 40}},
        ["P", "O", "T"],
        "P2.3 P3.3 P4.4 P6.1",
    ),
    ("P O T that ends the game", RICH, ["P", "O", "T"], "P2.3 P4.4 P5.1"),
]


@pytest.mark.parametrize(
    ("position", "dice", "rules"),
    [pytest.param(*case, id=name) for name, *case in ADJUDICATIONS],
)
def test_an_adjudication_names_all_its_rules(
    position: dict[str, Any], dice: list[Any], rules: str
) -> None:
    answer = answered("pot", "adjudications", {**position, "dice": dice, "throws": 1})
    assert answer["rules"] == rules.split()


STEPS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("a throw", HELD, {"type": "throw", "dice": [5, 1, 1]}, "P2.1"),
    ("a throw of 1 1 1", HELD, {"type": "throw", "dice": [1, 1, 1]}, "P2.1 P2.2"),
    (
        "1 1 1 by a poor player",
        {**TABLE, "player": 2, "holder": 1, "to_beat": 9},
        {"type": "throw", "dice": [1, 1, 1]},
        "P2.1 P2.2 P6.1",
    ),
    ("a throw of P O T", HELD, {"type": "throw", "dice": list("POT")}, "P2.1 P2.3 P3.3 P4.4"),
    ("the rethrow", {**HELD, "held": [2]}, {"type": "throw", "dice": [5, 1]}, "P3.1 P4.1"),
    ("the last throw of all", LAST, {"type": "throw", "dice": [5, 1, 3]}, "P6.2"),
]


@pytest.mark.parametrize(
    ("position", "event", "rules"), [pytest.param(*case, id=name) for name, *case in STEPS]
)
def test_a_step_names_all_its_rules(
    position: dict[str, Any], event: dict[str, Any], rules: str
) -> None:
    answer = answered("pot", "transitions", {**position, "event": event})
    assert answer["legal"]
    assert answer["rules"] == rules.split()


def test_an_audit_names_the_rules_of_the_beginning_and_of_every_event() -> None:
    table, log = {"players": ["Ada", "Ben", "Cleo"]}, list[dict[str, Any]]()
    rules = ["P1.2", "P1.3"]
    assert verbs.audit(GAME, {**table, "log": log})["rules"] == rules
    log.append({"type": "throw", "dice": [1, 1, 1]})
    rules += ["P2.1", "P2.2"]
    assert verbs.audit(GAME, {**table, "log": log})["rules"] == rules
    # It is illegal, and its finding's rule counts too.
    log.append({"type": "accept"})
    rules += ["P2.4"]
    assert verbs.audit(GAME, {**table, "log": log})["rules"] == rules
