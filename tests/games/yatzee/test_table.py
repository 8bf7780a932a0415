"""Laws of a table of Yatzee beyond those of every game: holds, totals, whole games."""

from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from tests.games.yatzee.table import SHEET, events_at, random_log, random_position

CLIENT: FlaskClient = create_app().test_client()
THROW, WRITE, STRIKE = "throw", "write", "strike"


def ask(resource: str, document: dict[str, Any]) -> Any:
    answer = CLIENT.post(f"/v1/yatzee/{resource}", json=document)
    assert answer.status_code == 200, (document, answer.get_json())
    return answer.get_json()


@pytest.mark.parametrize("seed", range(30))
def test_exactly_the_subsets_of_the_dice_can_be_held(seed: int) -> None:
    position = random_position(Random(seed))
    answer = ask("adjudications", position)
    legal, illegal = events_at(position, answer, holds=64)
    promised = sorted({event["type"] for event in legal})
    for event in legal:
        step = ask("transitions", position | {"event": event})
        assert step["legal"], (position, event, step)
        if event["type"] == THROW:
            assert step["turn"]["dice"] == sorted([*event["held"], *event["dice"]])
            assert step["turn"]["throw"] == position["throw"] + 1
            assert step["totals"] == answer["totals"]
    for event in illegal:
        step = ask("transitions", position | {"event": event})
        assert not step["legal"], (position, event)
        assert step["legal_events"] == promised
        assert step["totals"] == answer["totals"]
        assert step["effects"] == []


@pytest.mark.parametrize("seed", range(100))
def test_filling_a_category_brings_what_the_adjudication_said(seed: int) -> None:
    position = random_position(Random(seed))
    answer = ask("adjudications", position)
    card = position.get("scorecard", {})
    for entry in answer["categories"]:
        category = entry["category"]
        assert entry["open"] is (category not in card)
        if not entry["open"]:
            assert entry["totals"] is None
            continue
        kind = WRITE if entry["satisfied"] else STRIKE
        step = ask("transitions", position | {"event": {"type": kind, "category": category}})
        assert step["turn"]["scorecard"] == card | {category: entry["points"]}
        assert list(step["turn"]["scorecard"]) == [c for c in SHEET if c in {*card, category}]
        assert step["totals"] == entry["totals"]
        gained = sum(effect["points"] for effect in step["effects"])
        assert step["totals"]["total"] - answer["totals"]["total"] == gained
    writable = any(entry["open"] and entry["satisfied"] for entry in answer["categories"])
    assert answer["status"] == ("writable" if writable else "strike-only")


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_game_adds_up(seed: int) -> None:
    log = random_log(Random(seed))
    audit = ask("games", log)
    assert audit["over"]
    assert len(audit["sheet"]) == 18 * len(log["players"])
    assert audit["sheet"][-1] == audit["scores"]
    best = max(audit["scores"])
    assert audit["winners"] == [i for i, score in enumerate(audit["scores"]) if score == best]
    bonus = log["options"].get("upper_bonus", 50)
    threshold = log["options"].get("upper_threshold", 84)
    rows = zip(audit["scorecards"], audit["totals"], audit["scores"], strict=True)
    for card, totals, score in rows:
        assert list(card) == list(SHEET)
        upper = sum(card[category] for category in SHEET[:6])
        lower = sum(card[category] for category in SHEET[6:])
        added = bonus if upper >= threshold else 0
        assert totals == {"upper": upper, "upper_bonus": added, "lower": lower, "total": score}
        assert score == upper + added + lower
