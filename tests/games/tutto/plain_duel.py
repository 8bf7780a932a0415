"""The chance to win of the player about to draw, by a plain recursion over a turn (O16).

It shares nothing with the service and nothing with the builder of its tables: dice are scored,
cards are turned up and points are taken as the rules say it. All points are in points.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product

from service.games.tutto.rulesets import Ending, FireworkKeep, LeaderDraws, Ruleset

Chance = Callable[[int, int], float]
"""The chance of a player, by his score and the other's."""

CARDS = {"clover": 1, "firework": 5, "stop": 10, "straight": 5, "plus-minus": 5, "double": 5} | {
    f"{prize}": 5 for prize in (200, 300, 400, 500, 600)
}


@cache
def points_of(dice: tuple[int, ...]) -> int | None:
    """The points of dice set aside from one roll; None if one of them does not score."""
    points = 0
    for face in set(dice):
        triples, singles = divmod(dice.count(face), 3)
        if singles and face not in (1, 5):
            return None
        points += triples * (1000 if face == 1 else 100 * face)
        points += singles * (100 if face == 1 else 50)
    return points


@cache
def rolls(dice: int) -> tuple[tuple[float, tuple[int, int], tuple[tuple[int, int], ...]], ...]:
    """Chances of rolls that score, each with the most dice and points, and every other keep."""
    found = Counter[tuple[tuple[int, int], ...]]()
    for roll in product(range(1, 7), repeat=dice):
        keeps = set[tuple[int, int]]()
        for number in range(1, dice + 1):
            for kept in combinations(sorted(roll), number):
                points = points_of(kept)
                if points is not None:
                    keeps.add((number, points))
        found[tuple(sorted(keeps))] += 1
    return tuple((ways / 6**dice, max(keeps), keeps[:-1]) for keeps, ways in found.items() if keeps)


@cache
def niete(dice: int) -> float:
    return 1 - sum(chance for chance, _, _ in rolls(dice))


@cache
def tutto(dice: int) -> float:
    """The chance to set all aside, wanting nothing else."""
    if not dice:
        return 1.0
    return sum(
        chance * max(tutto(dice - number) for number, _ in (most, *keeps))
        for chance, most, keeps in rolls(dice)
    )


@cache
def straight_chance(missing: int) -> float:
    if not missing:
        return 1.0
    found = 0.0
    for roll in product(range(1, 7), repeat=missing):
        new = len({face for face in roll if face <= missing})
        found += max((straight_chance(missing - kept) for kept in range(1, new + 1)), default=0.0)
    return found / float(6**missing)


class DuelTurn:
    """A turn at these scores; ``written`` is worth what is said of both scores after it."""

    def __init__(self, rules: Ruleset, own: int, other: int, written: Chance, steady: int) -> None:
        self.rules, self.own, self.written, self.steady = rules, own, written, steady
        self.other = other
        self.known = dict[tuple[str, int, int, int], float]()

    def value(self) -> float:
        return self.drawing(0, self.other)

    def bank(self, held: int, other: int) -> float:
        return self.written(self.own + held, other)

    def after_tutto(self, held: int, other: int) -> float:
        if held >= self.steady:
            return self.bank(held, other)
        return max(self.bank(held, other), self.drawing(held, other))

    def drawing(self, held: int, other: int) -> float:
        place = ("", 0, held, other)
        if place not in self.known:
            self.known[place] = sum(
                copies * self.turned_up(card, held, other) for card, copies in CARDS.items()
            ) / sum(CARDS.values())
        return self.known[place]

    def turned_up(self, card: str, held: int, other: int) -> float:
        nothing = self.bank(0, other)
        if card == "stop":
            return nothing
        if card == "clover":
            return tutto(6) ** 2 + (1 - tutto(6) ** 2) * nothing
        if card == "straight":
            done = self.after_tutto(held + 2000, other)
            return straight_chance(6) * done + (1 - straight_chance(6)) * nothing
        if card == "plus-minus":
            leads = self.own > other
            if leads and self.rules.leader_draws_plus_minus is LeaderDraws.SITS_OUT:
                return nothing
            done = self.after_tutto(held + 1000, other if leads else other - 1000)
            return tutto(6) * done + (1 - tutto(6)) * nothing
        return self.rolling(card, 6, held, other)

    def rolling(self, card: str, dice: int, held: int, other: int) -> float:
        place = (card, dice, held, other)
        if place not in self.known:
            firework = card == "firework"
            found = niete(dice) * self.bank(held if firework else 0, other)
            for chance, most, keeps in rolls(dice):
                found += chance * self.best(card, dice, held, other, most, keeps)
            self.known[place] = found
        return self.known[place]

    def best(
        self,
        card: str,
        dice: int,
        held: int,
        other: int,
        most: tuple[int, int],
        keeps: tuple[tuple[int, int], ...],
    ) -> float:
        number, points = most
        if card == "firework":
            if held >= self.steady:
                return self.bank(held, other)
            following = self.rolling(card, dice - number or 6, held + points, other)
            if self.rules.firework_keep is FireworkKeep.ALL:
                return following
        elif number < dice:
            following = self.bank(held + points, other)
            if held >= self.steady:
                return following
            keeps = (*keeps, most)
        elif card == "double":
            following = self.after_tutto(2 * (held + points), other)
        else:
            following = self.after_tutto(held + points + int(card), other)
        others = (self.rolling(card, dice - n, held + more, other) for n, more in keeps)
        return max(following, *others, following)


def written_by(
    rules: Ruleset, seat: int, theirs: Chance, last: Callable[[int], float]
) -> tuple[Chance, bool]:
    """Returns the value of scores after a turn, and if the other may draw once more."""
    more = rules.ending is Ending.FULL_ROUND and seat == 0

    def written(own: int, other: int) -> float:
        if own < rules.target:
            return 1 - theirs(other, own)
        return 1 - last(own - other) if more else 1.0

    return written, more


def last_turn(rules: Ruleset, behind: int) -> float:
    """The chance of the last turn of a full round, so many points behind."""

    def written(own: int, other: int) -> float:
        return 1.0 if own > other else 0.5 if own == other else 0.0

    return DuelTurn(rules, 0, behind, written, behind + 50).value()
