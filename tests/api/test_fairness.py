"""Fair dice, verified by the service: valid games, and each possible fault."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from dice_referee.games import catalogue, most_players
from dice_referee.sessions.replay import export
from tests.application import errors, post
from tests.sessions.seated import QUICK, SEED, played, sit_down

Claim = dict[str, Any]
GAMES = pytest.mark.parametrize("game", sorted(QUICK))


@cache
def _claim(game: str) -> Claim:
    ended = played(sit_down(game).add("x", seat=1), Random(11))
    record = export(catalogue()[game], ended.session, ended.log)
    return {"game": game, "record": record, "fairness": ended.state["fairness"]}


def fair_claim(game: str) -> Claim:
    """Returns a copy of the claim of a finished game, for a test to change."""
    return deepcopy(_claim(game))


def verdict(claim: Claim) -> dict[str, Any]:
    answer = post("/v1/fairness/verify", claim)
    assert answer.status_code == 200, answer.get_json()
    document: dict[str, Any] = answer.get_json()
    return document


def chances(claim: Claim) -> list[int]:
    log, chance = claim["record"]["log"], catalogue()[claim["game"]].chance_events
    return [index for index, event in enumerate(log) if event["type"] in chance]


@GAMES
def test_unchanged_game_is_fair(game: str) -> None:
    claim = fair_claim(game)
    log = claim["record"]["log"]
    assert verdict(claim) == {
        "fair": True,
        "commitment_holds": True,
        "complete": True,
        "first_mismatch": None,
        "first_illegal": None,
        "chances": [{"index": index, "event": log[index]} for index in chances(claim)],
    }


def change_commitment(claim: Claim) -> None:
    committed = claim["fairness"]["commitment"]
    claim["fairness"]["commitment"] = committed[:-1] + ("1" if committed[-1] == "0" else "0")


def increment_draws(claim: Claim) -> None:
    claim["fairness"]["draws"] += 1


def decrement_draws(claim: Claim) -> None:
    claim["fairness"]["draws"] -= 1


def cut_end(claim: Claim) -> None:
    del claim["record"]["log"][chances(claim)[-1] :]


@GAMES
@pytest.mark.parametrize(
    ("change", "field"),
    [
        (change_commitment, "commitment_holds"),
        (increment_draws, "complete"),
        (decrement_draws, "complete"),
        (cut_end, "complete"),
    ],
)
def test_single_fault_of_a_proof_is_the_only_fault_reported(
    game: str, change: Callable[[Claim], None], field: str
) -> None:
    claim = fair_claim(game)
    change(claim)
    answer = verdict(claim)
    faults = {name for name in ("commitment_holds", "complete") if not answer[name]}
    assert (answer["fair"], faults) == (False, {field})
    assert answer["first_mismatch"] is answer["first_illegal"] is None


@GAMES
@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_changed_die_is_found_at_its_index(game: str, place: int) -> None:
    claim = fair_claim(game)
    index = [index for index in chances(claim) if "dice" in claim["record"]["log"][index]][place]
    right = deepcopy(claim["record"]["log"][index])
    dice = claim["record"]["log"][index]["dice"]
    dice[-1] = 1 if dice[-1] != 1 else 2
    answer = verdict(claim)
    assert answer["fair"] is False
    assert answer["first_mismatch"] == {"index": index, "expected": right}


def test_changed_card_is_found_at_its_index() -> None:
    claim = fair_claim("tutto")
    index = chances(claim)[0]
    right = dict(claim["record"]["log"][index])
    claim["record"]["log"][index]["card"] = "clover" if right["card"] != "clover" else "double"
    answer = verdict(claim)
    assert (answer["fair"], answer["first_mismatch"]) == (
        False,
        {"index": index, "expected": right},
    )


@GAMES
@pytest.mark.parametrize("texts", [[None, None], ["x", None], [None, "X"], ["x", "x"]])
def test_different_seat_seeds_give_different_dice(game: str, texts: list[str | None]) -> None:
    claim = fair_claim(game)
    claim["fairness"]["seeds"] = texts
    answer = verdict(claim)
    assert (answer["fair"], answer["commitment_holds"]) == (False, True)
    assert answer["first_mismatch"] is not None


@GAMES
def test_wrong_seed_breaks_the_commitment(game: str) -> None:
    claim = fair_claim(game)
    claim["fairness"]["seed"] = bytes(reversed(SEED)).hex()
    answer = verdict(claim)
    assert (answer["fair"], answer["commitment_holds"]) == (False, False)
    assert answer["first_mismatch"] is not None


@GAMES
def test_illegal_event_makes_a_game_unfair(game: str) -> None:
    claim = fair_claim(game)
    log = claim["record"]["log"]
    choice = min({*range(len(log))} - {*chances(claim)})
    log.insert(choice + 1, log[choice])
    answer = verdict(claim)
    assert answer["fair"] is False
    assert answer["first_illegal"]["index"] == choice + 1
    assert answer["first_illegal"]["findings"]


def test_order_of_dice_thrown_together_is_ignored() -> None:
    claim = fair_claim("tutto")
    for index in chances(claim):
        if "dice" in (event := claim["record"]["log"][index]):
            event["dice"].reverse()
    assert verdict(claim)["fair"] is True


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scheme", "hmac-sha256/2"),
        ("seed", "00" * 31),
        ("seed", None),
        ("commitment", "0" * 63),
        ("seeds", ["x"]),
        ("seeds", ["", None]),
        ("seeds", ["x" * 65, None]),
        ("draws", -1),
    ],
)
def test_malformed_proof_is_refused_at_its_field(field: str, value: Any) -> None:
    claim = fair_claim("pot")
    claim["fairness"][field] = value
    answer = post("/v1/fairness/verify", claim)
    assert answer.status_code == 400
    assert {pointer.split("/")[2] for pointer, _ in errors(answer)} == {field}


@GAMES
def test_proof_needs_a_seed_for_each_seat(game: str) -> None:
    claim = fair_claim(game)
    seats = len(claim["record"]["players"])
    for number in {*range(1, most_players() + 1)} - {seats}:
        claim["fairness"]["seeds"] = [None] * number
        answer = post("/v1/fairness/verify", claim)
        assert errors(answer) == [("/fairness/seeds", "wrong-length")]
