"""All 96 distinct rolls, in every situation that matters, against the oracle (P2 to P6)."""

import json
from typing import Any

import pytest

from dice_referee.games.pot.game import GAME
from dice_referee.games.pot.scoring import as_dice
from tests.games.pot.oracle import PUBLISHED, Piles, TableTop, name_of, rewards, total_of
from tests.games.pot.test_scoring import FALLS

ROLLS = [*{as_dice(fall): fall for fall in FALLS}.values()]
"""A permutation of each distinct roll, since adjudications sort the dice."""
HOUSES: list[dict[str, Any]] = [
    {},
    {
        "twos_from_bank": 2,
        "pot_bonus": 2,
        "threes_from_player": 2,
        "zero_letter": "O",
        "target": 20,
    },
]

TABLES: list[tuple[list[int], int, int]] = [
    # Coins of the players, on the POT, in the bank: 55 together.
    ([3, 3], 1, 48),
    ([5, 0], 2, 48),
    ([0, 5], 2, 48),
    ([30, 23], 2, 0),
    ([0, 52], 3, 0),
    ([0, 0], 3, 52),
    ([23, 1], 4, 27),
    ([3, 3, 3], 1, 45),
    ([4, 0, 1], 2, 48),
    ([0, 2, 0], 3, 50),
    ([20, 17, 15], 3, 0),
    ([20, 17, 14], 3, 1),
    ([0, 27, 25], 3, 0),
    ([23, 23, 3], 2, 4),
    ([3, 3, 3, 3], 1, 42),
    ([5, 1, 0, 2], 4, 43),
    ([0, 0, 0, 0], 5, 50),
    ([17, 16, 15, 4], 2, 1),
    ([1, 25, 25, 2], 2, 0),
    ([3, 3, 3, 3, 3], 1, 39),
    ([0, 1, 0, 2, 0], 3, 49),
    ([11, 11, 11, 11, 6], 2, 3),
    ([0, 0, 0, 0, 0], 3, 52),
    ([10, 11, 11, 11, 11], 1, 0),
]


def situations(count: int) -> list[tuple[int, int | None, int | None]]:
    """Returns the players to move, the holders of the POT and their results."""
    last = count - 1
    free: list[tuple[int, int | None, int | None]] = [(0, None, None), (last, None, None)]
    results = [(0, 1, result) for result in (1, 6, 9, 15)]
    return [*free, *results, (0, last, 9), (last, 0, 9), (last, last - 1, 12)]


@pytest.mark.parametrize("house", HOUSES, ids=["published", "house rules"])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_roll_in_every_situation_matches_the_oracle(
    table: tuple[list[int], int, int], house: dict[str, Any]
) -> None:
    for fall in ROLLS:
        for i, (player, holder, result) in enumerate(situations(len(table[0]))):
            rolls_made = 1 + i % 3
            check(list(fall), rolls_made, table, player, holder, result, house)


def check(
    dice: list[Any],
    rolls_made: int,
    table: tuple[list[int], int, int],
    player: int,
    holder: int | None,
    result: int | None,
    house: dict[str, Any],
) -> None:
    coins, pot, bank = table
    position = {
        "options": house,
        "roll": dice,
        "rolls_made": rolls_made,
        "coins": coins,
        "pot": pot,
        "bank": bank,
        "player": player,
        "holder": holder,
        "to_beat": result,
    }
    answer = json.loads(GAME.adjudicate_all([position])[1])
    rules = {**PUBLISHED, **house}
    combo = name_of(dice, rules)
    assert (answer["sum"], answer["combo"]) == (total_of(dice), combo)
    if combo in ("triple-1", "pot"):
        assert answer["status"] == {"triple-1": "bust", "pot": "pot"}[combo]
        assert answer["beats"] is (combo == "pot")
        assert answer["next_roll"] is None
        assert answer["choices"] == []
        before = oracle_at(position, rolls_made - 1)
        if rolls_made == 3:
            # The previous roll has been paid already.
            before.piles["pot"] -= 1
            before.piles[player] += 1
        before.apply({"type": "roll", "dice": dice})
        agree(answer["next"], before)
        return
    assert answer["status"] == "open"
    assert answer["next"] is None
    next_rolls = {1: "free", 2: "paid" if coins[player] else None, 3: None}
    assert answer["next_roll"] == next_rolls[rolls_made]
    beats = result is None or total_of(dice) > result
    assert answer["beats"] == (None if combo == "straight-123" else beats)
    piles: Piles = {**dict(enumerate(coins)), "pot": pot, "bank": bank}
    offered = rewards(dice, piles, player, len(coins), rules)
    assert [tuple(choice["players"]) for choice in answer["choices"]] == list(offered)
    for choice in answer["choices"]:
        after = offered[tuple(choice["players"])]
        assert choice["coins"] == [after[seat] for seat in range(len(coins))]
        assert (choice["pot"], choice["bank"]) == (after["pot"], after["bank"])
        assert sum(choice["coins"]) + choice["pot"] + choice["bank"] == 55
        assert choice["effects"] == explaining_effects(choice["effects"], coins, choice["coins"])
        before = oracle_at(position, rolls_made)
        before.apply({"type": "accept", "players": choice["players"]})
        agree(choice["next"], before)


def oracle_at(position: dict[str, Any], rolls_made: int) -> TableTop:
    """Returns an oracle in this position."""
    table = TableTop(len(position["coins"]), position["options"])
    table.piles = {
        **dict(enumerate(position["coins"])),
        "pot": position["pot"],
        "bank": position["bank"],
    }
    table.player, table.dice, table.rolls_made = position["player"], position["roll"], rolls_made
    table.holder, table.result = position["holder"], position["to_beat"]
    return table


def explaining_effects(effects: Any, before: list[int], after: list[int]) -> Any:
    """Returns the effects. Expects the effects to explain the coins."""
    coins = list(before)
    for effect in effects:
        assert effect["coins"] > 0
        if effect["type"] == "bank-paid":
            coins[effect["player"]] += effect["coins"]
        else:
            assert effect["type"] == "handed-over"
            coins[effect["player"]] -= effect["coins"]
            coins[effect["to"]] += effect["coins"]
    assert coins == after
    return effects


def agree(turn: dict[str, Any], table: TableTop) -> None:
    """Expects the document to equal the oracle."""
    assert turn["coins"] == table.coins
    assert (turn["pot"], turn["bank"]) == (table.piles["pot"], table.piles["bank"])
    if table.winner is not None:
        assert turn["phase"] == "over"
        assert turn["outcome"]["winner"] == table.winner
        return
    assert turn["player"] == table.player
    phase = "sudden-death" if table.tied else "reroll" if table.again else "roll"
    assert turn["phase"] == phase
    assert turn.get("tied", []) == table.tied
    assert turn.get("sums", []) == table.sums
    assert turn.get("holder") == table.holder
    assert turn.get("to_beat") == (None if table.holder is None else table.result)
    assert turn.get("held") == ([2] if phase == "reroll" else None)
