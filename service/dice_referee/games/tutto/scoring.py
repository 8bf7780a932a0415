"""Points of dice and legal keeps of a roll (T1, T2.2, T5.6).

Every result depends on a roll alone. There are only 923 rolls of one to six dice, so each result is
computed once and cached.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from dice_referee.rulebook.dice import FACES, Dice

SINGLES = {1: 100, 5: 50}
"""Points of a single die (T1.2)."""

TRIPLES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
"""Points of three equal dice of one roll (T1.3)."""


class Line(NamedTuple):
    """Line of a score: a single, a triple, or a face of a straight."""

    dice: Dice
    kind: str
    points: int
    rule: str


class Keep(NamedTuple):
    """Dice set aside from one roll, with their points and the lines that add up to them."""

    dice: Dice
    points: int
    lines: tuple[Line, ...]
    rules: frozenset[str]


@cache
def shared(rules: frozenset[str]) -> frozenset[str]:
    """Returns one object for all equal sets of rules: there are few sets and thousands of uses."""
    return rules


def _keep(dice: Dice, lines: tuple[Line, ...]) -> Keep:
    rules = shared(frozenset(line.rule for line in lines))
    return Keep(dice, sum(line.points for line in lines), lines, rules)


@cache
def score(dice: Dice, earn: bool) -> Keep | None:
    """Returns the dice as a keep of one roll, or None if a die is neither single nor in a triple.

    Three equal dice are always a triple (T1.6). Without ``earn`` only the card pays, and every line
    has 0 points (T5.5, T5.7).
    """
    lines: list[Line] = []
    for face in FACES:
        triples, rest = divmod(dice.count(face), 3)
        if rest and face not in SINGLES:
            return None
        lines += [Line((face,) * 3, "triple", earn * TRIPLES[face], "T1.3")] * triples
        lines += [Line((face,), "single", earn * SINGLES.get(face, 0), "T1.2")] * rest
    return _keep(dice, tuple(lines))


@cache
def faces(dice: Dice) -> Keep:
    """Returns distinct faces as a keep on a straight, with 0 points: only the card pays (T5.6)."""
    return _keep(dice, tuple(Line((face,), "face", 0, "T5.6") for face in dice))


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """Legal keeps of a roll; a roll without any is a Niete (T2.1).

    Compared by identity: there is one object for each set of keeps.
    """

    keeps: tuple[Keep, ...]
    """Every legal keep, in lexicographic order of the dice."""
    most: Keep | None
    """Keep of every scoring die, which banking counts (T2.5); None for a Niete."""
    rules: frozenset[str]
    """Numbers of the rules behind the lines of these keeps."""


NO_KEEPS = Allowed((), None, frozenset())


@cache
def _allowed(keeps: tuple[Keep, ...]) -> Allowed:
    if not keeps:
        return NO_KEEPS
    most = max(keeps, key=lambda keep: len(keep.dice))
    return Allowed(keeps, most, shared(frozenset().union(*[keep.rules for keep in keeps])))


@cache
def allowed(roll: Dice, earn: bool) -> Allowed:
    """Returns the keeps of a roll: every non-empty selection of singles and whole triples (T2.2).

    Without ``earn`` the dice of a keep have no points.
    """
    per_face = []
    for face in FACES:
        step = 1 if face in SINGLES else 3
        per_face.append([(face,) * n for n in range(0, roll.count(face) + 1, step)])
    selections = (tuple(sum(parts, ())) for parts in product(*per_face))
    scored = (score(dice, earn) for dice in selections if dice)
    return _allowed(tuple(sorted(keep for keep in scored if keep is not None)))


@cache
def allowed_on_firework(roll: Dice) -> Allowed:
    """Returns the only keep of a roll under ``firework_keep: all``: every scoring die (T5.2)."""
    most = allowed(roll, True).most
    return _allowed(() if most is None else (most,))


@cache
def allowed_on_straight(free: Dice) -> Allowed:
    """Returns the keeps on a straight: every non-empty selection of the free faces (T5.6)."""
    selections = (dice for n in range(len(free)) for dice in combinations(free, n + 1))
    return _allowed(tuple(sorted(map(faces, selections))))


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """Dice set aside since the last roll of six, roll by roll (T1.5).

    Compared by identity: there is one object for each sequence of keeps.
    """

    keeps: tuple[Dice, ...]
    number: int
    """Number of dice set aside."""
    points: int
    """Points of these dice under T1; 0 on a straight."""
    rules: frozenset[str]
    """Numbers of the rules behind the keeps."""
    fits: bool
    """True if each keep is legal for some roll."""


@lru_cache(maxsize=8192)
def aside(keeps: tuple[Dice, ...], straight: bool = False) -> Aside:
    """Returns the dice of these keeps, which need not be legal.

    Fewer than 600 sequences of keeps are legal, and fewer than 5000 on a straight.
    """
    number = sum(map(len, keeps))
    if straight:
        distinct = len({die for dice in keeps for die in dice})
        fits = distinct == number and all(keeps)
        return Aside(keeps, number, 0, shared(frozenset({"T5.6"} if keeps else ())), fits)
    scored = [keep for dice in keeps if dice and (keep := score(dice, True)) is not None]
    rules = shared(frozenset().union(*[keep.rules for keep in scored]))
    points = sum(keep.points for keep in scored)
    return Aside(keeps, number, points, rules, len(scored) == len(keeps))


NOTHING_ASIDE = aside(())
