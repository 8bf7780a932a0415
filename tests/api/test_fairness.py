"""Fair dice, verified by the service and by the script of the guide: each possible fault."""

import json
import subprocess
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.games import catalogue, most_players
from dice_referee.sessions.redis.store import RedisStore
from tests.application import accepted, begin, errors, post
from tests.e2e.guides.snippets import GUIDES, files
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

SCRIPT = files((GUIDES / "fairness.md").read_text("utf-8"))["verify.mjs"]
LETTERS = tuple("POT")

Claim = dict[str, Any]
Script = Callable[[Claim], str]


def played(client: FlaskClient, game: str) -> Claim:
    """Plays a whole game with random choices, after two seats have added a text."""
    random = Random(game)
    table = begin(client, game=game, **BEGINNINGS[game])
    state = table.state
    for seat, text in ((0, "left"), (1, "right ~!")):
        accepted(table.post("seeds", {"seed": text}, table.seats[seat]))
    while state["status"] == "running":
        state = accepted(table.post("events", choose(state, random)))["session"]
    return {"game": game, "record": table.get("/game").get_json(), "fairness": state["fairness"]}


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


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Returns the last output of the script."""
    (tmp_path / "verify.mjs").write_text(SCRIPT, "utf-8")
    names = ("fairness", "record", "catalogue")

    def run_script(claim: Claim) -> str:
        documents = claim | {"catalogue": catalogued(claim["game"])}
        for name in names:
            (tmp_path / f"{name}.json").write_text(json.dumps(documents[name]), "utf-8")
        command = ["node", "verify.mjs", *(f"{name}.json" for name in names)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.returncode in (0, 1), done.stderr
        assert (done.returncode == 0) is ("NOT FAIR" not in done.stdout), done.stdout + done.stderr
        return done.stdout.splitlines()[-1]

    return run_script


@cache
def catalogued(game: str) -> Any:
    return create_app(UNLIMITED).test_client().get(f"/v1/{game}").get_json()


def verdict(claim: Claim) -> dict[str, Any]:
    answer = post("/v1/fairness/verify", claim)
    assert answer.status_code == 200, answer.get_json()
    document: dict[str, Any] = answer.get_json()
    return document


def chances(claim: Claim, field: str = "type") -> list[int]:
    """Returns the indices of the events of chance that have a field."""
    chance = catalogue()[claim["game"]].chance_events
    events = enumerate(claim["record"]["log"])
    return [index for index, event in events if event["type"] in chance and field in event]


def test_unchanged_game_is_fair(claim: Claim, script: Script) -> None:
    log = claim["record"]["log"]
    assert script(claim) == f"fair: {claim['fairness']['draws']} draws"
    assert verdict(claim) == {
        "fair": True,
        "commitment_holds": True,
        "complete": True,
        "first_mismatch": None,
        "first_illegal": None,
        "chances": [{"index": index, "event": log[index]} for index in chances(claim)],
    }


def change_digit(field: str) -> Callable[[Claim], None]:
    def change(claim: Claim) -> None:
        right = claim["fairness"][field]
        claim["fairness"][field] = right[:-1] + ("1" if right[-1] == "0" else "0")

    return change


def add_draws(number: int) -> Callable[[Claim], None]:
    return lambda claim: claim["fairness"].update(draws=claim["fairness"]["draws"] + number)


def set_texts(*texts: str | None) -> Callable[[Claim], None]:
    return lambda claim: claim["fairness"].update(
        seeds=[*texts, *claim["fairness"]["seeds"][len(texts) :]]
    )


def cut_end(claim: Claim) -> None:
    del claim["record"]["log"][chances(claim)[-1] :]


def omit_roll(claim: Claim) -> None:
    del claim["record"]["log"][chances(claim, "dice")[-1]]


def change_die(place: int) -> Callable[[Claim], None]:
    def change(claim: Claim) -> None:
        dice = claim["record"]["log"][chances(claim, "dice")[place]]["dice"]
        dice[-1] = 1 if dice[-1] != 1 else 2

    return change


class Fault(NamedTuple):
    """A falsification, and what the service reports besides `fair`, or None for any fault."""

    change: Callable[[Claim], None]
    reported: set[str] | None


FAULTS = {
    "commitment": Fault(change_digit("commitment"), {"commitment_holds"}),
    "seed": Fault(change_digit("seed"), {"commitment_holds", "first_mismatch"}),
    "a draw more": Fault(add_draws(1), {"complete"}),
    "a draw less": Fault(add_draws(-1), {"complete"}),
    "end cut": Fault(cut_end, {"complete"}),
    "roll omitted": Fault(omit_roll, None),
    "first die": Fault(change_die(0), {"first_mismatch"}),
    "last die": Fault(change_die(-1), {"first_mismatch"}),
    "texts exchanged": Fault(set_texts("right ~!", "left"), {"first_mismatch"}),
    "texts omitted": Fault(set_texts(None, None), {"first_mismatch"}),
    "a text omitted": Fault(set_texts("left", None), {"first_mismatch"}),
    "another text": Fault(set_texts("left", "Right ~!"), {"first_mismatch"}),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_falsified_game_is_not_fair(claim: Claim, script: Script, fault: Fault) -> None:
    before = deepcopy(claim["record"]["log"])
    fault.change(claim)
    answer, log = verdict(claim), claim["record"]["log"]
    reported = {name for name in ("commitment_holds", "complete") if not answer[name]}
    reported |= {name for name in ("first_mismatch", "first_illegal") if answer[name] is not None}
    assert answer["fair"] is False
    assert reported if fault.reported is None else fault.reported <= reported
    assert fault.reported is None or reported - fault.reported <= (
        {"complete"} if "first_mismatch" in fault.reported else set()
    )
    changed = [index for index, event in enumerate(log) if event != before[index]]
    if changed and fault.reported:
        index = changed[0]
        assert answer["first_mismatch"] == {"index": index, "expected": before[index]}
    assert script(claim) == "NOT FAIR"


def test_each_changed_letter_or_card_is_found(games: dict[str, Claim], script: Script) -> None:
    """Covers letters that fell alone or in pairs while other dice were held."""
    pot, tutto = deepcopy(games["pot"]), deepcopy(games["tutto"])
    lettered = [
        (pot, at, pot["record"]["log"][at]["dice"], i, LETTERS)
        for at in chances(pot, "dice")
        for i, die in enumerate(pot["record"]["log"][at]["dice"])
        if die in LETTERS
    ]
    assert {len(dice) for _, _, dice, *_ in lettered} == {1, 2, 3}
    cards = [
        (tutto, at, tutto["record"]["log"][at], "card", ("double", "stop"))
        for at in chances(tutto, "card")[:3]
    ]
    for claim, at, holder, place, others in (*Random(1).sample(lettered, 12), *cards):
        right, expected = holder[place], deepcopy(claim["record"]["log"][at])
        holder[place] = next(other for other in others if other != right)
        answer = verdict(claim)
        assert answer["fair"] is False
        # A letter may change which later events are legal.
        mismatch = {"index": at, "expected": expected}
        assert answer["first_mismatch"] == mismatch or answer["first_illegal"] is not None
        assert script(claim) == "NOT FAIR"
        holder[place] = right
    assert script(pot).startswith("fair")


@pytest.mark.parametrize("late", [False, True])
def test_illegal_event_makes_a_game_unfair(claim: Claim, late: bool) -> None:
    """An event after the end of the game leaves all draws in place."""
    log = claim["record"]["log"]
    choices = sorted({*range(len(log))} - {*chances(claim)})
    place = len(log) if late else choices[0] + 1
    log.insert(place, log[choices[0]])
    answer = verdict(claim)
    assert (answer["fair"], answer["first_illegal"]["index"]) == (False, place)
    assert answer["first_illegal"]["findings"]
    assert not late or answer["complete"]


def test_order_of_dice_rolled_together_is_ignored(games: dict[str, Claim]) -> None:
    claim = deepcopy(games["tutto"])
    for index in chances(claim, "dice"):
        claim["record"]["log"][index]["dice"].reverse()
    assert verdict(claim)["fair"] is True


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scheme", "hmac-sha256/2"),
        ("seed", "00" * 31),
        ("seed", None),
        ("commitment", "0" * 63),
        ("seeds", ["x"]),
        ("seeds", ["", None, None]),
        ("seeds", ["x" * 65, None, None]),
        ("draws", -1),
    ],
)
def test_malformed_proof_is_refused_at_its_field(
    games: dict[str, Claim], field: str, value: Any
) -> None:
    claim = deepcopy(games["pot"])
    claim["fairness"][field] = value
    refused = errors(post("/v1/fairness/verify", claim))
    assert {pointer.split("/")[2] for pointer, _ in refused} == {field}


def test_proof_needs_a_seed_for_each_seat(claim: Claim) -> None:
    seats = len(claim["record"]["players"])
    for number in {*range(1, most_players() + 1)} - {seats}:
        claim["fairness"]["seeds"] = [None] * number
        answer = post("/v1/fairness/verify", claim)
        assert errors(answer) == [("/fairness/seeds", "wrong-length")]
