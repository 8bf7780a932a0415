"""The verification script of the fairness guide, run with node on games of the service."""

import json
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import accepted, begin
from tests.e2e.guides.snippets import GUIDES, files
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

SCRIPT = files((GUIDES / "fairness.md").read_text("utf-8"))["verify.mjs"]
LETTERS = tuple("POT")

Claim = dict[str, Any]
Verdict = Callable[[Claim], str]


@pytest.fixture(scope="module")
def games(redis_url: str) -> dict[str, Claim]:
    """A finished game of each kind, as anybody can read it."""
    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store, new_seed=lambda: bytes(32)).test_client()
    claims = {game: played(client, game) for game in BEGINNINGS}
    store.close()
    return claims


@pytest.fixture(params=BEGINNINGS)
def claim(request: pytest.FixtureRequest, games: dict[str, Claim]) -> Claim:
    """A copy of a game, which the test falsifies."""
    return deepcopy(games[request.param])


def played(client: FlaskClient, game: str) -> Claim:
    """Plays a whole game with random choices, after two seats have added a text."""
    random = Random(game)
    table = begin(client, game=game, **BEGINNINGS[game])
    state = table.state
    for seat, text in ((0, "left"), (1, "right ~!")):
        accepted(table.post("seeds", {"seed": text}, table.seats[seat]))
    while state["status"] == "running":
        state = accepted(table.post("events", choose(state, random)))["session"]
    return {
        "fairness": state["fairness"],
        "record": table.get("/game").get_json(),
        "catalogue": client.get(f"/v1/games/{game}").get_json(),
    }


@pytest.fixture
def verdict(tmp_path: Path) -> Verdict:
    """Returns the last output of the script."""
    (tmp_path / "verify.mjs").write_text(SCRIPT, "utf-8")

    def run_script(claim: Claim) -> str:
        for name, document in claim.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(document), "utf-8")
        names = [f"{name}.json" for name in ("fairness", "record", "catalogue")]
        done = subprocess.run(
            ["node", "verify.mjs", *names], cwd=tmp_path, capture_output=True, encoding="utf-8"
        )
        assert done.returncode in (0, 1), done.stderr
        assert (done.returncode == 0) is ("NOT FAIR" not in done.stdout), done.stdout + done.stderr
        return done.stdout.splitlines()[-1]

    return run_script


def chances(claim: Claim, field: str) -> list[Any]:
    return [event for event in claim["record"]["log"] if field in event and event["type"] != "keep"]


def test_unchanged_game_is_fair(claim: Claim, verdict: Verdict) -> None:
    assert verdict(claim) == f"fair: {claim['fairness']['draws']} draws"


@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_changed_die_is_not_fair(claim: Claim, verdict: Verdict, place: int) -> None:
    dice = chances(claim, "dice")[place]["dice"]
    dice[-1] = 1 if dice[-1] != 1 else 2
    assert verdict(claim) == "NOT FAIR"


def test_changed_letter_is_not_fair(games: dict[str, Claim], verdict: Verdict) -> None:
    claim = deepcopy(games["pot"])
    fallen = [event["dice"] for event in chances(claim, "dice")]
    lettered = [(dice, i) for dice in fallen for i, die in enumerate(dice) if die in LETTERS]
    # Also covers letters that fell alone or in pairs while other dice were held.
    assert {len(dice) for dice, _ in lettered} == {1, 2, 3}
    for dice, i in Random(1).sample(lettered, 12):
        die = dice[i]
        dice[i] = next(letter for letter in LETTERS if letter != die)
        assert verdict(claim) == "NOT FAIR"
        dice[i] = die
    assert verdict(claim).startswith("fair")


def test_changed_card_is_not_fair(games: dict[str, Claim], verdict: Verdict) -> None:
    claim = deepcopy(games["tutto"])
    for event in chances(claim, "card")[:3]:
        card = event["card"]
        event["card"] = "double" if card != "double" else "stop"
        assert verdict(claim) == "NOT FAIR"
        event["card"] = card
    assert verdict(claim).startswith("fair")


@pytest.mark.parametrize("field", ["seed", "commitment"])
def test_changed_seed_or_commitment_is_not_fair(claim: Claim, verdict: Verdict, field: str) -> None:
    right = claim["fairness"][field]
    claim["fairness"][field] = ("0" if right[0] != "0" else "1") + right[1:]
    assert verdict(claim) == "NOT FAIR"


@pytest.mark.parametrize("texts", [["right ~!", "left"], ["left"], [None, None], ["left", "Right"]])
def test_changed_seat_texts_are_not_fair(
    claim: Claim, verdict: Verdict, texts: list[str | None]
) -> None:
    claim["fairness"]["seeds"][: len(texts)] = texts
    if texts == ["left"]:
        claim["fairness"]["seeds"][1] = None
    assert verdict(claim) == "NOT FAIR"


def test_omitted_or_added_throw_is_not_fair(claim: Claim, verdict: Verdict) -> None:
    log = claim["record"]["log"]
    last = chances(claim, "dice")[-1]
    log.append(last)
    assert verdict(claim) == "NOT FAIR"
    log[:] = [event for event in log if event is not last]
    assert verdict(claim) == "NOT FAIR"
