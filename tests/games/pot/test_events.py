"""Legal rolls and acceptances: exhaustively, against real dice (P1.1, P2.1)."""

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.games import catalogue, verbs
from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Roll
from dice_referee.games.pot.position import Position
from dice_referee.games.pot.rulesets import POT_2020
from dice_referee.games.pot.scoring import distinct_rolls
from tests.games.pot.oracle import PUBLISHED, name_of
from tests.games.pot.random_games import every_roll, rolls_from

GAME = catalogue()["pot"]

COINS = Coins((5, 3, 2, 4), 3, 38)
OPEN = [
    dice for dice in distinct_rolls() if name_of(list(dice), PUBLISHED) not in ("triple-1", "pot")
]


def key(held: Any, fresh: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(map(str, held))), tuple(sorted(map(str, fresh)))


@pytest.mark.long
def test_later_roll_is_legal_if_real_dice_allow_it() -> None:
    rolls_made = [
        (key(held, fresh), Roll(tuple(fresh), tuple(held))) for held, fresh in every_roll()
    ]
    for dice in OPEN:
        free = Position(POT_2020, COINS, 0, dice, 1)
        last = free._replace(rolls_made=3)
        possible = {key(held, fresh) for held, fresh in rolls_from(list(dice))}
        assert possible, dice
        for name, event in rolls_made:
            findings = list(event.objections(free, "/event"))
            assert (not findings) == (name in possible), (dice, event, findings)
            late = list(event.objections(last, "/event"))
            assert late[0].code == "no-roll-left", (dice, event)
            assert late[1:] == findings, (dice, event)


def test_first_roll_is_legal_if_real_dice_allow_it() -> None:
    beginning = Position(POT_2020, COINS, 0)
    possible = {key((), dice) for dice in distinct_rolls()}
    for held, fresh in every_roll():
        findings = list(Roll(tuple(fresh), tuple(held)).objections(beginning, "/event"))
        assert (not findings) == (key(held, fresh) in possible), (held, fresh, findings)


def test_reroll_is_legal_if_real_dice_allow_it() -> None:
    reroll = Position(POT_2020, COINS, 0, held=(2,))
    possible = {fresh for held, fresh in keys_from([1, 2, 3]) if held == ("2",)}
    for held, fresh in every_roll():
        findings = list(Roll(tuple(fresh), tuple(held)).objections(reroll, "/event"))
        legal = held in ([], [2]) and key((), fresh)[1] in possible
        assert (not findings) == legal, (held, fresh, findings)


def keys_from(dice: list[Any]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [key(held, fresh) for held, fresh in rolls_from(dice)]


@pytest.mark.parametrize("coins", [(5, 3, 2, 4), (0, 0, 1, 0), (4, 0), (20, 17, 15), (0, 0, 52)])
def test_acceptance_is_legal_if_the_reward_offers_its_players(coins: tuple[int, ...]) -> None:
    bank = 0 if sum(coins) == 52 else 52 - sum(coins)
    table, names = Coins(coins, 3, bank), range(len(coins) + 1)
    for dice in OPEN:
        position = Position(POT_2020, table, 0, dice, 1)
        offered = {choice.players for choice in position.offer.rewards}
        for number in range(4):
            for players in product(names, repeat=number):
                findings = list(Accept(players).objections(position, "/event"))
                legal = len(set(players)) == number and tuple(sorted(players)) in offered
                assert (not findings) == legal, (dice, players, findings)


def test_findings_have_pointers_in_the_order_of_the_input() -> None:
    position = Position(POT_2020, COINS, 0, (2, 5, "P"), 3)
    event = Roll(("P", "P"), (4, "P", 4))
    findings = list(event.objections(position, "/event"))
    assert [finding.pointer for finding in findings] == [
        "/event",
        "/event/held/0",
        "/event/held/2",
        "/event/held",
        "/event/dice/0",
        "/event/dice/1",
    ]


def ways_to_fall(held: list[Any], fresh: list[Any], before: set[Any] | None) -> set[Any]:
    """Returns the possible faces of the P, the O and the T die after this roll."""
    names = sorted(map(str, [*held, *fresh]))
    ways = set()
    for faces in product(*([*range(1, 6), letter] for letter in "POT")):
        for lay in before or [faces]:
            stayed = [face for face, former in zip(faces, lay, strict=True) if face == former]
            is_possible = not Counter(held) - Counter(stayed)
            if is_possible and sorted(map(str, faces)) == names:
                ways.add(faces)
    return ways


@settings(max_examples=300, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1))
def test_audit_accepts_only_rolls_that_held_dice_allow(seed: int) -> None:
    rng = Random(seed)
    faces = [*range(1, 6), *"POTPOT"]
    log: list[dict[str, Any]] = []
    before: set[Any] | None = None
    lying: list[Any] = []
    for _ in range(3):
        held = rng.sample(lying, rng.randint(0, 2) if lying else 0)
        fresh = [rng.choice(faces) for _ in range(3 - len(held))]
        log.append({"type": "roll", "held": held, "dice": fresh})
        ways = ways_to_fall(held, fresh, before)
        answer = verbs.audit(GAME, {"players": ["A", "B"], "log": log})
        assert answer["legal"] == bool(ways), (log, answer["first_illegal"])
        if not ways or answer["turn"]["phase"] != "choose":
            return
        before, lying = ways, [*held, *fresh]


def test_audit_traces_dice_into_the_reroll_only() -> None:
    # The O or the T die shows the 2, so the two rolled dice cannot show O and T.
    turn = [
        {"type": "roll", "dice": ["P", 3, 2]},
        {"type": "roll", "held": [2, 3], "dice": [1]},
        {"type": "accept"},
    ]
    stateless = {"coins": [3, 3], "pot": 1, "bank": 48, "player": 0, "held": [2], "rolls_made": 2}
    for dice, legal in ((["O", "T"], False), (["P", "O"], True), (["T", "P"], True)):
        reroll = {"type": "roll", "dice": dice}
        after = [reroll, {"type": "roll", "dice": ["P", "O", 1]}]
        answer = verbs.audit(GAME, {"players": ["A", "B"], "log": [*turn, *after]})
        assert answer["legal"] is legal
        assert verbs.step(GAME, {**stateless, "event": reroll})["legal"]


def test_reloaded_state_still_identifies_the_dice() -> None:
    document = GAME.normalized_setup({"players": ["A", "B"]})
    state = GAME.new_state(document)
    for event in (
        {"type": "roll", "dice": ["P", 3, 4]},
        {"type": "roll", "held": [3, 4], "dice": [5]},
    ):
        state = GAME.advance(state, event).state
    saved = json.loads(orjson.dumps(GAME.save_state(state)))
    last = {"type": "roll", "held": [5], "dice": ["P", 1]}
    for each in (state, GAME.load_state(document, saved)):
        (finding,) = GAME.objections(each, last, "")
        assert (finding.code, finding.pointer) == ("letter-not-rolled", "/dice/0")
