"""Points of dice, legal keeps of a roll, and chances of the next roll (T1, T2.2, T5.6, O9).

Every result depends only on a roll and on a few options. Only 923 rolls of up to six dice exist, so
each result is computed once and cached.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from dice_referee.games.tutto.cards import FIREWORK, STRAIGHT, Card
from dice_referee.games.tutto.rulesets import (
    SINGLES,
    TRIPLES,
    EqualDice,
    FireworkKeep,
    Ruleset,
)
from dice_referee.rulebook.dice import FACES, Dice
from dice_referee.rulebook.odds import roll_weights

TRIPLE = 3
"""Number of equal dice in a triple (T1.3)."""


class Line(NamedTuple):
    """Line of a score: a single, a triple, a set of equal dice, or a face of a straight."""

    dice: Dice
    kind: str
    points: int
    rule: str


class Keep(NamedTuple):
    """Dice set aside from a single roll, with their points and the lines that add up to them."""

    dice: Dice
    points: int
    lines: tuple[Line, ...]
    rules: frozenset[str]


@cache
def intern_rules(rules: frozenset[str]) -> frozenset[str]:
    """Interns a set of rules: few different sets have thousands of uses."""
    return rules


def _keep(dice: Dice, lines: tuple[Line, ...]) -> Keep:
    rules = intern_rules(frozenset(line.rule for line in lines))
    return Keep(dice, sum(line.points for line in lines), lines, rules)


@cache
def faces(dice: Dice) -> Keep:
    """Returns distinct faces as a keep on a straight, with 0 points: only the card pays (T5.6)."""
    return _keep(dice, tuple(Line((face,), "face", 0, "T5.6") for face in dice))


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """Legal keeps of a roll. A roll without any is a Niete (T2.1).

    Compared by identity: equal sets of keeps share an object.
    """

    keeps: tuple[Keep, ...]
    """Every legal keep, in lexicographic order of the dice."""
    most: Keep | None
    """Keep of every scoring die, which banking counts (T2.5), or None for a Niete."""
    rules: frozenset[str]
    """Numbers of the rules behind the lines of these keeps."""


NO_KEEPS = Allowed((), None, frozenset())


@cache
def _allowed(keeps: tuple[Keep, ...]) -> Allowed:
    if not keeps:
        return NO_KEEPS
    most = max(keeps, key=lambda keep: len(keep.dice))
    return Allowed(keeps, most, intern_rules(frozenset().union(*[keep.rules for keep in keeps])))


@cache
def allowed_on_straight(free: Dice) -> Allowed:
    """Returns the keeps on a straight: every non-empty selection of the free faces (T5.6)."""
    selections = (dice for n in range(len(free)) for dice in combinations(free, n + 1))
    return _allowed(tuple(sorted(map(faces, selections))))


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """Dice set aside since the last roll of six, roll by roll (T1.5).

    Compared by identity: equal sequences of keeps share an object.
    """

    keeps: tuple[Dice, ...]
    number: int
    points: int
    """Points of these dice under T1, or 0 on a straight."""
    rules: frozenset[str]
    fits: bool
    """True if each keep is legal for some roll."""


NOTHING_ASIDE = Aside((), 0, 0, frozenset(), True)


class ScoringRoll(NamedTuple):
    """Group of rolls that allow the same keeps under T1."""

    keeps: tuple[tuple[int, int], ...]
    """Dice left and points of each keep, fewest dice left first.

    The first keep sets aside every scoring die.
    """
    chance: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class NextRoll:
    """Chances of the next roll on a card (O9). By identity: to hash fractions takes long."""

    dice: int
    niete: Fraction
    """Chance that the roll is a Niete (T2.1)."""
    tutto: Fraction
    """Best chance to make a Tutto on this card, if the player wants nothing else."""


@cache
def straight_chance(faces: int) -> Fraction:
    """Returns the best chance to complete a straight that lacks ``faces`` faces (T5.6)."""
    if not faces:
        return Fraction(1)
    chance = Fraction()
    for roll, weight in roll_weights(faces).items():
        new = len(set(roll).intersection(FACES[:faces]))
        best = max((straight_chance(faces - aside) for aside in range(1, new + 1)), default=0)
        chance += Fraction(weight, 6**faces) * best
    return chance


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """Points, keeps and chances of all rules that agree on these options.

    Compared by identity: ``SCORINGS`` has a single object for equal options.
    """

    firework_takes_all: bool
    """True if a firework demands every scoring die (T5.2)."""
    doubles_equal: bool
    """True if each equal die beyond three doubles their triple (T1.7)."""

    def numbers(self, face: int, rolled: int) -> Sequence[int]:
        """Returns how many of ``rolled`` dice of this face may be set aside (T2.2), in order."""
        if self.doubles_equal and face not in SINGLES and rolled > TRIPLE:
            return (0, TRIPLE, rolled)
        return range(0, rolled + 1, 1 if face in SINGLES else TRIPLE)

    @cache
    def score(self, dice: Dice, earn: bool) -> Keep | None:
        """Returns the dice as a keep of a single roll, or None if a die is not part of any line.

        Three equal dice are always a triple (T1.6). Where equal dice double it, four or more are
        always a single set (T1.7). Without ``earn`` only the card pays, and every line has 0 points
        (T5.5, T5.7).
        """
        lines: list[Line] = []
        for face in FACES:
            count = dice.count(face)
            if self.doubles_equal and count > TRIPLE:
                points = earn * TRIPLES[face] * 2 ** (count - TRIPLE)
                lines.append(Line((face,) * count, "set", points, "T1.7"))
                continue
            triples, rest = divmod(count, TRIPLE)
            if rest and face not in SINGLES:
                return None
            lines += [Line((face,) * TRIPLE, "triple", earn * TRIPLES[face], "T1.3")] * triples
            lines += [Line((face,), "single", earn * SINGLES.get(face, 0), "T1.2")] * rest
        return _keep(dice, tuple(lines))

    @cache
    def allowed(self, roll: Dice, earn: bool) -> Allowed:
        """Returns the keeps of a roll: every non-empty selection of singles and triples (T2.2).

        Without ``earn`` the dice of a keep have no points.
        """
        per_face = (
            [(face,) * number for number in self.numbers(face, roll.count(face))] for face in FACES
        )
        selections = (tuple(sum(parts, ())) for parts in product(*per_face))
        scored = (self.score(dice, earn) for dice in selections if dice)
        return _allowed(tuple(sorted(keep for keep in scored if keep is not None)))

    def allowed_on(self, card: Card, free: Dice) -> Allowed:
        """Returns the keeps that a card allows. ``free`` are the dice rolled.

        On a straight ``free`` are only the faces not set aside yet (T5.6). A firework may demand
        every scoring die (T5.2).
        """
        if card is STRAIGHT:
            return allowed_on_straight(free)
        can = self.allowed(free, card.dice_earn)
        forced = card is FIREWORK and self.firework_takes_all and can.most is not None
        return _allowed((can.most,)) if forced else can

    @lru_cache(maxsize=8192)
    def aside(self, keeps: tuple[Dice, ...], straight: bool = False) -> Aside:
        """Returns the dice of these keeps, which need not be legal.

        Fewer than 600 sequences of keeps are legal, and fewer than 5000 on a straight.
        """
        number = sum(map(len, keeps))
        if straight:
            distinct = len({die for dice in keeps for die in dice})
            fits = distinct == number and all(keeps)
            return Aside(keeps, number, 0, intern_rules(frozenset({"T5.6"} if keeps else ())), fits)
        scored = [keep for dice in keeps if dice and (keep := self.score(dice, True)) is not None]
        rules = intern_rules(frozenset().union(*[keep.rules for keep in scored]))
        points = sum(keep.points for keep in scored)
        return Aside(keeps, number, points, rules, len(scored) == len(keeps))

    @cache
    def scoring_rolls(self, dice: int, every: bool = False) -> tuple[ScoringRoll, ...]:
        """Returns the rolls of ``dice`` dice that score under T1, grouped by their keeps.

        A group lists the keep of most points for each number of dice left. With ``every``, it lists
        all keeps, because a player who plays to win may prefer fewer points (O16).
        """
        weights = Counter[tuple[tuple[int, int], ...]]()
        for roll, weight in roll_weights(dice).items():
            can = self.allowed(roll, True)
            keeps = sorted({(dice - len(keep.dice), keep.points) for keep in can.keeps})
            if keeps:
                weights[tuple(keeps if every else dict(keeps).items())] += weight
        return tuple(
            ScoringRoll(keeps, Fraction(weight, 6**dice)) for keeps, weight in weights.items()
        )

    @cache
    def tutto_chance(self, dice: int) -> Fraction:
        """Returns the best chance to set aside all of so many dice under T1, roll after roll."""
        if not dice:
            return Fraction(1)
        rolls = self.scoring_rolls(dice)
        best = ((roll, max(self.tutto_chance(left) for left, _ in roll.keeps)) for roll in rolls)
        return sum((roll.chance * chance for roll, chance in best), Fraction())

    @cache
    def next_roll(self, card: Card, dice: int) -> NextRoll:
        """Returns the chances of rolling ``dice`` dice on this card.

        On a straight, the number of missing faces equals the number of dice.
        """
        if card is STRAIGHT:
            faces = len(FACES)
            return NextRoll(dice, Fraction(faces - dice, faces) ** dice, straight_chance(dice))
        scoring = sum((roll.chance for roll in self.scoring_rolls(dice)), Fraction())
        return NextRoll(dice, 1 - scoring, self.tutto_chance(dice))


SCORINGS = {
    (keep, equal): Scoring(keep is FireworkKeep.ALL, equal is EqualDice.DOUBLED)
    for keep, equal in product(FireworkKeep, EqualDice)
}


@lru_cache(maxsize=1024)
def scoring_of(rules: Ruleset) -> Scoring:
    return SCORINGS[rules.firework_keep, rules.equal_dice]
