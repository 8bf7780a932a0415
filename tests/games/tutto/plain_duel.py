"""Oracle: the win probability of the player about to draw, by recursion over a turn (O16).

Shares nothing with the service or the builder of its tables: the code scores dice, turns up cards
and deducts points as the rules say. All values are in points.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product

from dice_referee.games.tutto.rulesets import Ending, FireworkKeep, LeaderDraws, Ruleset

Chance = Callable[[int, int], float]
"""Chance of a player to win, by his score and the opponent's."""

CARDS = {"clover": 1, "firework": 5, "stop": 10, "straight": 5, "plus-minus": 5, "double": 5} | {
    f"{prize}": 5 for prize in (200, 300, 400, 500, 600)
}


@cache
def points_of(dice: tuple[int, ...]) -> int | None:
    """Returns the points of dice set aside from a roll, or None if a die does not score."""
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
    """Returns the chances of scoring rolls, each with its largest keep and its other keeps."""
    counts = Counter[tuple[tuple[int, int], ...]]()
    for roll in product(range(1, 7), repeat=dice):
        keeps = set[tuple[int, int]]()
        for number in range(1, dice + 1):
            for keep in combinations(sorted(roll), number):
                points = points_of(keep)
                if points is not None:
                    keeps.add((number, points))
        counts[tuple(sorted(keeps))] += 1
    return tuple(
        (ways / 6**dice, max(keeps), keeps[:-1]) for keeps, ways in counts.items() if keeps
    )


@cache
def niete(dice: int) -> float:
    return 1 - sum(chance for chance, _, _ in rolls(dice))


@cache
def tutto(dice: int) -> float:
    """Returns the chance of a Tutto for a player who only wants a Tutto."""
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
    total = 0.0
    for roll in product(range(1, 7), repeat=missing):
        new = len({face for face in roll if face <= missing})
        total += max(
            (straight_chance(missing - number) for number in range(1, new + 1)), default=0.0
        )
    return total / float(6**missing)


class DuelTurn:
    """A turn at these scores. ``written`` is the win probability by both scores at its end."""

    def __init__(
        self, rules: Ruleset, own: int, opponent: int, written: Chance, steady: int
    ) -> None:
        self.rules, self.own, self.written, self.steady = rules, own, written, steady
        self.opponent = opponent
        self.known = dict[tuple[str, int, int, int], float]()

    def value(self) -> float:
        return self.drawing(0, self.opponent)

    def bank(self, held: int, opponent: int) -> float:
        return self.written(self.own + held, opponent)

    def after_tutto(self, held: int, opponent: int) -> float:
        if held >= self.steady:
            return self.bank(held, opponent)
        return max(self.bank(held, opponent), self.drawing(held, opponent))

    def drawing(self, held: int, opponent: int) -> float:
        place = ("", 0, held, opponent)
        if place not in self.known:
            self.known[place] = sum(
                copies * self.after_draw(card, held, opponent) for card, copies in CARDS.items()
            ) / sum(CARDS.values())
        return self.known[place]

    def after_draw(self, card: str, held: int, opponent: int) -> float:
        nothing = self.bank(0, opponent)
        if card == "stop":
            return nothing
        if card == "clover":
            return tutto(6) ** 2 + (1 - tutto(6) ** 2) * nothing
        if card == "straight":
            done = self.after_tutto(held + 2000, opponent)
            return straight_chance(6) * done + (1 - straight_chance(6)) * nothing
        if card == "plus-minus":
            leads = self.own > opponent
            if leads and self.rules.leader_draws_plus_minus is LeaderDraws.SITS_OUT:
                return nothing
            done = self.after_tutto(held + 1000, opponent if leads else opponent - 1000)
            return tutto(6) * done + (1 - tutto(6)) * nothing
        return self.rolling(card, 6, held, opponent)

    def rolling(self, card: str, dice: int, held: int, opponent: int) -> float:
        place = (card, dice, held, opponent)
        if place not in self.known:
            firework = card == "firework"
            total = niete(dice) * self.bank(held if firework else 0, opponent)
            for chance, most, keeps in rolls(dice):
                total += chance * self.best(card, dice, held, opponent, most, keeps)
            self.known[place] = total
        return self.known[place]

    def best(
        self,
        card: str,
        dice: int,
        held: int,
        opponent: int,
        most: tuple[int, int],
        keeps: tuple[tuple[int, int], ...],
    ) -> float:
        number, points = most
        if card == "firework":
            if held >= self.steady:
                return self.bank(held, opponent)
            following = self.rolling(card, dice - number or 6, held + points, opponent)
            if self.rules.firework_keep is FireworkKeep.ALL:
                return following
        elif number < dice:
            following = self.bank(held + points, opponent)
            if held >= self.steady:
                return following
            keeps = (*keeps, most)
        elif card == "double":
            following = self.after_tutto(2 * (held + points), opponent)
        else:
            following = self.after_tutto(held + points + int(card), opponent)
        values = (self.rolling(card, dice - n, held + more, opponent) for n, more in keeps)
        return max(following, *values, following)


def written_by(
    rules: Ruleset, seat: int, theirs: Chance, last: Callable[[int], float]
) -> tuple[Chance, bool]:
    """Returns the value of scores after a turn as a function, and if the rival draws again."""
    more = rules.ending is Ending.FULL_ROUND and seat == 0

    def written(own: int, opponent: int) -> float:
        if own < rules.target:
            return 1 - theirs(opponent, own)
        return 1 - last(own - opponent) if more else 1.0

    return written, more


def last_turn(rules: Ruleset, behind: int) -> float:
    """Returns the win probability with the last turn of a full round, this many points behind."""

    def written(own: int, opponent: int) -> float:
        return 1.0 if own > opponent else 0.5 if own == opponent else 0.0

    return DuelTurn(rules, 0, behind, written, behind + 50).value()
