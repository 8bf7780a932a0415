"""Oracle: POT as people play at a table, coin by coin, without code of the service.

Written from the rule text alone. Coins move singly from pile to pile, and an empty pile gives none.
The player aid below lists what each combo offers.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

Piles = dict[Any, int]
"""Coins by place: players by number, ``"pot"``, ``"bank"``."""

LETTERS = "POT"

PUBLISHED = {
    "target": 24,
    "start_coins": 3,
    "twos_from_bank": 1,
    "pot_bonus": 1,
    "first_stake": 1,
    "zero_letter": "any",
    "threes_from_player": 1,
    "total_coins": 55,
}


def name_of(dice: list[Any], house: dict[str, Any]) -> str | None:
    """Returns the name of the combo that the faces show."""
    faces = "".join(sorted(map(str, dice)))
    zeros = LETTERS if house["zero_letter"] == "any" else house["zero_letter"]
    if faces[:2] == "24" and faces[2] in zeros:
        return "four-twenty"
    if faces[0] == faces[1] == faces[2]:
        return f"triple-{faces[0]}"
    return {
        "123": "straight-123",
        "234": "straight-234",
        "345": "straight-345",
        "OPT": "pot",
    }.get(faces)


def total_of(dice: list[Any]) -> int:
    return sum(0 if str(die) in LETTERS else int(die) for die in dice)


def aid(combo: str | None, house: dict[str, Any]) -> list[list[tuple[str, int]]]:
    """Returns the alternatives of the player aid, each a list of (source or receiver, coins).

    ``one`` and ``two`` rivals pay this number each. ``gift`` rivals, two of them, receive it.
    """
    aids: dict[str | None, list[list[tuple[str, int]]]] = {
        None: [[]],
        "straight-123": [[("bank", 1)]],
        "straight-234": [[("bank", 1)]],
        "straight-345": [[("two", 1)], [("bank", 2)]],
        "triple-2": [[("one", 2)], [("two", 1)], [("bank", house["twos_from_bank"])]],
        "triple-3": [[("bank", 2), ("one", house["threes_from_player"])]],
        "triple-4": [[("bank", 2), ("two", 1)]],
        "triple-5": [[("bank", 5), ("gift", 1)]],
        "four-twenty": [[("all", 1)]],
    }
    return aids[combo]


def shift(piles: Piles, source: Any, target: Any, number: int) -> int:
    moved = 0
    while moved < number and piles[source] > 0:
        piles[source] -= 1
        piles[target] += 1
        moved += 1
    return moved


def seats_from(player: int, count: int) -> Iterator[int]:
    seat = player
    for _ in range(count):
        yield seat
        seat = seat + 1 if seat + 1 < count else 0


def rewards(
    dice: list[Any], piles: Piles, player: int, count: int, house: dict[str, Any]
) -> dict[tuple[int, ...], Piles]:
    """Returns the piles after the reward, by the players named for it (P4, P6.1)."""
    outcomes: dict[tuple[int, ...], tuple[int, Piles]] = {}
    rivals = [seat for seat in range(count) if seat != player]
    for alternative in aid(name_of(dice, house), house):
        kinds = [kind for kind, _ in alternative]
        want = 1 if "one" in kinds else 2 if {"two", "gift"} & set(kinds) else 0
        with_coin = [seat for seat in rivals if piles[seat] > 0]
        pool = rivals if "gift" in kinds else with_coin
        for size in range(len(rivals) + 1):
            for named in combinations(rivals, size):
                if any(seat not in pool for seat in named):
                    continue
                if size != (want if len(pool) >= want else len(pool)):
                    continue
                after, moved = dict(piles), 0
                for kind, number in alternative:
                    for seat in seats_from(player, count):
                        if kind == "all":
                            moved += shift(after, "bank", seat, number)
                        elif kind == "bank" and seat == player:
                            moved += shift(after, "bank", player, number)
                        elif kind in ("one", "two") and seat in named:
                            moved += shift(after, seat, player, number)
                        elif kind == "gift" and seat in named:
                            moved += shift(after, player, seat, number)
                if named not in outcomes or outcomes[named][0] < moved:
                    outcomes[named] = (moved, after)
    some_move = any(moved for moved, _ in outcomes.values())
    return {
        named: after for named, (moved, after) in sorted(outcomes.items()) if moved or not some_move
    }


class TableTop:
    """A game as people play it. ``apply`` applies an event without checking the event."""

    def __init__(self, count: int, house: dict[str, Any], starter: int = 0) -> None:
        self.house = {**PUBLISHED, **house}
        self.count = count
        self.piles: Piles = dict.fromkeys(range(count), self.house["start_coins"])
        self.piles["pot"] = 0
        self.piles["bank"] = self.house["total_coins"] - sum(self.piles.values())
        shift(self.piles, "bank", "pot", self.house["first_stake"])
        self.player = starter
        self.holder: int | None = None
        self.result: int | None = None
        self.dice: list[Any] = []
        self.rolls_made = 0
        self.again = False
        self.tied: list[int] = []
        self.sums: list[int] = []
        self.winner: int | None = None
        self.sheet: list[list[int]] = []
        self.rounds: list[tuple[int, list[int]]] = []

    @property
    def coins(self) -> list[int]:
        return [self.piles[seat] for seat in range(self.count)]

    def apply(self, event: dict[str, Any]) -> None:
        if event["type"] == "roll":
            self._roll([*event.get("held", []), *event["dice"]], event["dice"])
        else:
            self._accept(tuple(sorted(event.get("players", ()))))
        assert sum(self.piles.values()) == self.house["total_coins"]
        assert min(self.piles.values()) >= 0

    def _roll(self, dice: list[Any], fresh: list[Any]) -> None:
        if self.tied:
            self._play_off(total_of(dice))
            return
        if self.again:
            self._result(2 + total_of(fresh))
            return
        self.rolls_made += 1
        if self.rolls_made == 3:
            assert shift(self.piles, self.player, "pot", 1) == 1
        self.dice = dice
        if name_of(dice, self.house) == "triple-1":
            shift(self.piles, self.player, "bank", 3)
            self._pass_on()
        if name_of(dice, self.house) == "pot":
            shift(self.piles, "bank", self.player, self.house["pot_bonus"])
            for seat in range(self.count):
                if seat != self.player:
                    shift(self.piles, seat, self.player, 1)
            self._win(self.player)

    def _accept(self, named: tuple[int, ...]) -> None:
        self.piles = rewards(self.dice, self.piles, self.player, self.count, self.house)[named]
        if name_of(self.dice, self.house) == "straight-123":
            self.again = True
        else:
            self._result(total_of(self.dice))

    def _result(self, points: int) -> None:
        if self.holder is None or self.result is None or points > self.result:
            self.holder, self.result = self.player, points
        self._pass_on()

    def _pass_on(self) -> None:
        self.player = next(s for i, s in enumerate(seats_from(self.player, self.count)) if i == 1)
        if self.holder == self.player:
            self._win(self.player)
        else:
            self._new_turn()
            self.sheet.append(self.coins)

    def _new_turn(self) -> None:
        self.dice, self.rolls_made, self.again = [], 0, False

    def _win(self, winner: int) -> None:
        shift(self.piles, "pot", winner, self.piles["pot"])
        self._new_turn()
        self.sheet.append(self.coins)
        self.rounds.append((winner, self.coins))
        self.holder = self.result = None
        self.player = winner
        if max(self.coins) >= self.house["target"]:
            self._decide(
                [seat for seat in range(self.count) if self.piles[seat] == max(self.coins)]
            )
        else:
            shift(self.piles, "bank", "pot", 2)

    def _play_off(self, points: int) -> None:
        self.sums.append(points)
        if len(self.sums) == len(self.tied):
            pairs = list(zip(self.tied, self.sums, strict=True))
            self._decide([seat for seat, result in pairs if result == max(self.sums)])
        else:
            self.player = self.tied[len(self.sums)]

    def _decide(self, best: list[int]) -> None:
        self.sums = []
        if len(best) == 1:
            self.winner, self.tied = best[0], []
        else:
            self.tied, self.player = best, best[0]
