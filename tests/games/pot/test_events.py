"""Which throws and which acceptances are legal: exhaustively, against real dice (P1.1, P2.1)."""

from itertools import combinations, product
from typing import Any

import pytest

from service.games.pot.coins import Coins
from service.games.pot.events import Accept, Throw, objections
from service.games.pot.position import Position
from service.games.pot.rewards import choices
from service.games.pot.rulesets import POT_2020
from service.games.pot.scoring import as_told, distinct_throws
from tests.games.pot.oracle import PUBLISHED, name_of
from tests.games.pot.table import every_throw, throws_from

COINS = Coins((5, 3, 2, 4), 3, 38)
OPEN = [
    dice for dice in distinct_throws() if name_of(list(dice), PUBLISHED) not in ("triple-1", "pot")
]


def told(held: Any, fresh: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(map(str, held))), tuple(sorted(map(str, fresh)))


@pytest.mark.parametrize("dice", OPEN, ids=lambda dice: "".join(map(str, dice)))
def test_a_further_throw_is_legal_if_real_dice_can_fall_like_that(dice: Any) -> None:
    free = Position(POT_2020, COINS, 0, dice, 1)
    last = free._replace(throws=3)
    possible = {told(held, fresh) for held, fresh in throws_from(list(dice))}
    assert possible
    for held, fresh in every_throw():
        event = Throw(as_told(fresh), as_told(held))
        found = objections(free, event, "/event")
        assert (not found) == (told(held, fresh) in possible), (held, fresh, found)
        late = objections(last, event, "/event")
        assert {finding.code for finding in late} >= {"no-throw-left"}
        assert late[1:] == found


def test_the_first_throw_is_legal_if_real_dice_can_fall_like_that() -> None:
    beginning = Position(POT_2020, COINS, 0)
    possible = {told((), dice) for dice in distinct_throws()}
    for held, fresh in every_throw():
        found = objections(beginning, Throw(as_told(fresh), as_told(held)), "/event")
        assert (not found) == (told(held, fresh) in possible), (held, fresh, found)


def test_the_rethrow_is_legal_for_any_two_dice_that_can_fall() -> None:
    rethrow = Position(POT_2020, COINS, 0, held=(2,))
    possible = {fresh for held, fresh in _told_from([1, 2, 3]) if held == ("2",)}
    for held, fresh in every_throw():
        found = objections(rethrow, Throw(as_told(fresh), as_told(held)), "/event")
        legal = held in ([], [2]) and told((), fresh)[1] in possible
        assert (not found) == legal, (held, fresh, found)


def _told_from(dice: list[Any]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [told(held, fresh) for held, fresh in throws_from(dice)]


@pytest.mark.parametrize("coins", [(5, 3, 2, 4), (0, 0, 1, 0), (4, 0), (20, 17, 15), (0, 0, 52)])
def test_an_acceptance_is_legal_if_the_reward_has_such_a_choice(coins: tuple[int, ...]) -> None:
    bank = 0 if sum(coins) == 52 else 52 - sum(coins)
    table, names = Coins(coins, 3, bank), range(len(coins) + 1)
    for dice in OPEN:
        position = Position(POT_2020, table, 0, dice, 1)
        offered = {choice.players for choice in choices(POT_2020, position.combo, table, 0)[0]}
        for number in range(4):
            for players in product(names, repeat=number):
                found = objections(position, Accept(players), "/event")
                legal = len(set(players)) == number and tuple(sorted(players)) in offered
                assert (not found) == legal, (dice, players, found)


def test_findings_point_at_what_was_told_and_come_in_its_order() -> None:
    position = Position(POT_2020, COINS, 0, (2, 5, "P"), 3)
    event = Throw(("P", "P"), (4, "P", 4))
    found = objections(position, event, "/event")
    assert [finding.pointer for finding in found] == [
        "/event",
        "/event/held/0",
        "/event/held/2",
        "/event/held",
        "/event/dice/0",
        "/event/dice/1",
    ]


def test_no_order_of_the_told_players_matters() -> None:
    position = Position(POT_2020, COINS, 0, (4, 4, 4), 1)
    for pair in combinations((1, 2, 3), 2):
        assert objections(position, Accept(pair), "/event") == ()
        assert objections(position, Accept(pair[::-1]), "/event") == ()
