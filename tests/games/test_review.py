"""Reviews of whole games: sums of luck and play, in every game of the catalogue."""

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dice_referee.games import catalogue
from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.position import Over, Position
from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.sentences import report
from tests.application import answered
from tests.games.test_laws import RANDOM_GAMES, every_game, short_run

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.long
@every_game
@short_run
@given(seed=SEEDS)
def test_advice_has_no_loss_and_no_loss_is_negative(game: str, seed: int) -> None:
    document = RANDOM_GAMES[game].random_log(Random(seed))
    answer = answered(game, "reviews", document)
    audit = answered(game, "audits", document)
    assert (answer["legal"], answer["first_illegal"]) == (audit["legal"], audit["first_illegal"])
    for decision in answer["decisions"]:
        chosen = {**document["log"][decision["index"]]}
        assert chosen["type"] == decision["event"]["type"]
        assert decision["loss"] == pytest.approx(decision["best"] - decision["worth"])
        assert decision["loss"] >= -1e-9
        if decision["advice"] == decision["event"]:
            assert decision["loss"] == pytest.approx(0, abs=1e-9)
    for row in answer["players"]:
        lost = sum(
            decision["loss"]
            for decision in answer["decisions"]
            if (decision["player"], decision["unit"]) == (row["player"], row["unit"])
        )
        assert row["play"] == pytest.approx(-lost, abs=1e-9)


@pytest.mark.long
@short_run
@given(seed=SEEDS)
def test_tutto_luck_and_play_sum_to_points_above_average(seed: int) -> None:
    document = RANDOM_GAMES["tutto"].random_log(Random(seed))
    state, public, beyond, now = GAME.new_state(document), GAME.public_of(None), 0.0, 0.0
    for reported in document["log"]:
        if GAME.objections(state, reported, ""):
            break
        assert isinstance(state.turn, Position)
        event: Any = GAME.event_of(reported)
        question = GAME.question_at(state.turn, public)
        if state.turn.phase == "draw" and not state.turn.carried:
            beyond += now - question.value()
        step, public = event.play(state.turn), GAME.public_after(public, event)
        now = question.worth_after(event, step.turn)
        if isinstance(step.turn, Over):
            beyond, now = beyond + now, 0.0
        state = state.after(step)
    answer = answered("tutto", "reviews", document)
    total = sum(row["luck"] + row["play"] for row in answer["players"])
    assert total == pytest.approx(beyond + now, abs=1e-6)


@pytest.mark.parametrize("seed", [3, 7])
def test_luck_and_play_of_a_duel_sum_to_zero(seed: int) -> None:
    log = RANDOM_GAMES["tutto"].random_log(Random(seed))["log"]
    duel = {"players": ["Ada", "Ben"], "log": log, "aim": "win"}
    players = answered("tutto", "reviews", duel)["players"]
    assert [row["player"] for row in players] == [0, 1]
    assert any(row["play"] for row in players), "the law is about the loss by choices, too"
    assert sum(row["luck"] + row["play"] for row in players) == pytest.approx(0, abs=1e-9)


def test_log_of_a_thousand_events_is_reviewed() -> None:
    log: list[dict[str, Any]] = []
    cards = ["bonus-200", "double", "bonus-300", "stop", "plus-minus", "firework"]
    while len(log) < 1000:
        card = cards[len(log) % len(cards)]
        log.append({"type": "draw", "card": card})
        if card != "stop":
            log.append({"type": "roll", "dice": [2, 2, 3, 3, 4, 6]})
    answer = answered("tutto", "reviews", {"players": ["Ada", "Ben"], "log": log})
    assert answer["legal"]
    assert answer["players"][0]["luck"] < -1000


def test_strike_without_an_alternative_is_no_decision() -> None:
    dice, log = [1, 2, 3, 3, 4, 6], list[dict[str, Any]]()
    for category in CATEGORIES[:-1]:
        log += [{"type": "roll", "dice": dice}, {"type": "strike", "category": category}]
    log += [{"type": "roll", "dice": dice}] * 3
    log.append({"type": "strike", "category": CATEGORIES[-1]})
    answer = answered("yatzee", "reviews", {"players": ["Ada"], "log": log})
    assert answer["legal"]
    decided = [decision["index"] for decision in answer["decisions"]]
    strikes = range(1, 2 * (len(CATEGORIES) - 1), 2)
    # The second and third roll of the last turn are decisions. Its strike has no alternative.
    assert decided == [*strikes, len(log) - 3, len(log) - 2]


def test_choice_of_payers_is_a_decision() -> None:
    log = [
        {"type": "roll", "dice": [1, 4, 5]},
        {"type": "accept"},
        {"type": "roll", "dice": [2, 2, 4]},
        {"type": "roll", "held": [2, 2], "dice": [5]},
        {"type": "roll", "held": [2, 2], "dice": [2]},
        {"type": "accept", "players": []},
    ]
    answer = answered("pot", "reviews", {"players": ["Ada", "Ben"], "log": log})
    assert answer["legal"]
    assert [decision["index"] for decision in answer["decisions"]] == [1, 3, 4, 5]


@pytest.mark.parametrize("seed", [1, 12, 33, 42])
def test_text_lists_losses_by_unit_costliest_first(seed: int) -> None:
    document = RANDOM_GAMES["pot"].random_log(Random(seed))
    answer = answered("pot", "reviews", document)
    full_text = "\n".join(report.review(catalogue()["pot"], document, answer, "en"))
    chances, sums = full_text.split("With a result to beat:\n")[1].split(
        "\nWith nothing to beat:\n"
    )
    for unit, text in (("chance", chances), ("sum", sums)):
        lost = [
            decision
            for decision in answer["decisions"]
            if decision["unit"] == unit and decision["loss"] > 1e-9
        ]
        costliest = sorted(lost, key=lambda decision: -decision["loss"])
        *lines, last = text.splitlines()
        assert [int(re.findall(r"^Move (\d+): ", line)[0]) - 1 for line in lines] == [
            decision["index"] for decision in costliest[:5]
        ]
        left = len(lost) - 5
        assert last == ("And one more decision." if left == 1 else f"And {left} more decisions.")


def test_text_of_a_single_unit_has_no_headings() -> None:
    log = [{"type": "roll", "dice": [2, 3, 1]}, {"type": "accept"}]
    document = {"players": ["Ada", "Ben"], "log": log}
    answer = answered("pot", "reviews", document)
    lines = report.review(catalogue()["pot"], document, answer, "en")
    assert [line.split(":")[0] for line in lines] == [
        "Ada had bad luck (1.2 pips below average) and lost 2.8 pips through wrong choices.",
        "The only decision was not the best (O2)",
        "Move 2",
    ]
