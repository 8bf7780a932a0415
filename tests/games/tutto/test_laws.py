"""Laws of Tutto's points, over every ruleset."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import CARDS, PLAYABLE
from dice_referee.rulebook.ruleset import Option
from tests.application import answered
from tests.games.tutto.random_games import random_log, random_position

SEEDS = st.integers(0, 2**32 - 1)


OPTIONS = catalogue()["tutto"].options
PAIRS = list(combinations(OPTIONS, 2))


def pays_exactly(document: dict[str, Any]) -> bool:
    """Tells if a Plus/Minus Tutto pays exactly its own points (T5.5h)."""
    pays: str = document.get("options", {}).get("plus_minus_pays", "beside")
    return pays == "exactly"


@settings(max_examples=400, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_points_are_never_negative_and_add_up(seed: int) -> None:
    document = random_position(Random(seed))
    answer = answered("tutto", "adjudications", document)
    stakes = [*answer["legal_keeps"], *([answer["bank"]] if answer["bank"] else [])]
    for stake in stakes:
        assert stake["points"] == sum(line["points"] for line in stake["lines"]) >= 0
        assert stake["bonus"] >= 0
        lost = document["card"] == "plus-minus" and stake["tutto"] and pays_exactly(document)
        held = stake["bonus"] if lost else document.get("carried", 0)
        assert stake["turn_points"] >= held
        assert bool(stake["tutto"]) == (len(stake["dice"]) + sum(map(len, document["keeps"])) == 6)
        assert not stake["bonus"] or stake["tutto"]
        for effect in stake["effects"]:
            assert effect["type"] == "deducted"
            assert 0 < effect["points"] <= 1000
            assert effect["player"] is None or effect["player"] != document["player"]
    tutto = any(keep["tutto"] for keep in answer["legal_keeps"])
    expected = "niete" if not answer["legal_keeps"] else "tutto" if tutto else "scoring"
    assert answer["status"] == expected
    assert (answer["next"] is not None) == (answer["status"] == "niete")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_scores_change_only_by_deductions_and_banks(seed: int) -> None:
    document = random_position(Random(seed))
    assume("scores" in document)
    answer = answered("tutto", "adjudications", document)
    for keep in answer["legal_keeps"]:
        event = {"type": "keep", "dice": keep["dice"]}
        settle_up(document, answered("tutto", "transitions", {**document, "event": event}))
    if answer["bank"]:
        event = {"type": "bank"}
        settle_up(document, answered("tutto", "transitions", {**document, "event": event}))


def settle_up(document: dict[str, Any], step: dict[str, Any]) -> None:
    """Expects the scores after an event to follow from its effects."""
    scores = list(document["scores"])
    for effect in step["effects"]:
        if effect["type"] == "deducted":
            scores[effect["player"]] -= effect["points"]
        if effect["type"] == "written":
            scores[effect["player"]] += effect["points"]
    assert scores == step["scores"]
    assert scores == step["turn"]["scores"]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_sheet_has_a_row_per_turn_and_the_final_scores(seed: int) -> None:
    document = random_log(Random(seed))
    answer = answered("tutto", "audits", document)
    assert answer["sheet"][-1] == answer["scores"]
    assert all(len(row) == len(document["players"]) for row in answer["sheet"])
    for earlier, later in zip(answer["sheet"], answer["sheet"][1:], strict=False):
        risen = [i for i, (a, b) in enumerate(zip(earlier, later, strict=True)) if b > a]
        assert len(risen) <= 1


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_choices_of_odds_equal_the_legal_events(seed: int) -> None:
    document = random_position(Random(seed))
    verdict = answered("tutto", "adjudications", document)
    assume(verdict["status"] != "niete")
    odds = answered("tutto", "odds", document)
    keeps = [{"type": "keep", "dice": keep["dice"]} for keep in verdict["legal_keeps"]]
    bank = [{"type": "bank"}] if verdict["bank"] else []
    assert [choice["event"] for choice in odds["choices"]] == keeps + bank
    for choice in odds["choices"]:
        step = answered("tutto", "transitions", {**document, "event": choice["event"]})
        assert step["legal"]
        if step["turn"]["phase"] != "over":
            following = answered("tutto", "odds", step["turn"])
            # The next turn has the value of the choice.
            assert abs(following["value"] - choice["value"]) < 1e-8
            rolled = following["roll"]
            expected = rolled and {name: rolled[name] for name in ("dice", "niete", "tutto")}
            assert choice["next_roll"] == expected
    assert odds["value"] == odds["choices"][odds["best"]]["value"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_draw_has_the_mean_value_of_its_cards(seed: int) -> None:
    document = random_position(Random(seed))
    table = {name: document[name] for name in document if name in ("ruleset", "options", "carried")}
    odds = answered("tutto", "odds", {**table, "pile": {"stop": 1, "double": 3, "clover": 1}})
    mean = sum(card["chance"]["value"] * card["value"] for card in odds["cards"])
    assert abs(odds["value"] - mean) < 1e-8
    assert sum(card["chance"]["value"] for card in odds["cards"]) == 1


def values_of(option: Option) -> tuple[Any, ...]:
    return option.values or (1000, 6000)


every_pair = pytest.mark.parametrize(
    ("first", "second"), PAIRS, ids=[f"{a.name}-{b.name}" for a, b in PAIRS]
)


@pytest.mark.long
@every_pair
def test_next_of_a_legal_event_is_a_valid_question(first: Option, second: Option) -> None:
    """Tries every pair of options with every card, with or without a sheet."""
    assert refused_next(first, second, (None,), 1) == []


@pytest.mark.long
@every_pair
def test_next_is_a_valid_question_with_and_without_a_sheet(first: Option, second: Option) -> None:
    assert refused_next(first, second, (False, True), 2) == []


def refused_next(
    first: Option, second: Option, sheets: Sequence[bool | None], seeds: int
) -> list[Any]:
    """Returns refused questions after legal events, with the refusals."""
    rolled = []
    for chosen in product(values_of(first), values_of(second)):
        table = {"options": dict(zip((first.name, second.name), chosen, strict=True))}
        for card, scored, seed in product(PLAYABLE.values(), sheets, range(seeds)):
            document = random_position(Random(f"{table} {card.id} {seed}"), table, card, scored)
            for turn in turns_after(document):
                drawn = [turn] if turn["phase"] == "roll" else turns_drawn(turn)
                rolled += [{**after, "roll": [1] * after["dice_to_roll"]} for after in drawn]
    answers = answered("tutto", "adjudications/batch", {"positions": rolled})["answers"]
    return [pair for pair in zip(rolled, answers, strict=True) if "type" in pair[1]]


def turns_after(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the turns that the adjudication promises after legal keeps, unless they are over."""
    keeps = answered("tutto", "adjudications", document)["legal_keeps"]
    return [keep["next"] for keep in keeps if keep["next"]["phase"] != "over"]


def turns_drawn(turn: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the turns after each card drawn, unless they are over."""
    steps = [
        answered("tutto", "transitions", {**turn, "event": {"type": "draw", "card": card}})
        for card in CARDS
    ]
    assert all(step["legal"] for step in steps)
    return [step["turn"] for step in steps if step["turn"]["phase"] != "over"]
