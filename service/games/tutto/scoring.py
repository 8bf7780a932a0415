"""What dice are worth and which of them can be set aside (T1, T2.2, T5.6).

Everything here depends on a roll alone. There are 923 rolls of one to six dice, so every answer is
computed once and kept.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from service.rules.dice import FACES, Dice

SINGLES = {1: 100, 5: 50}
"""Points of a single die (T1.2)."""

TRIPLES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
"""Points of three equal dice of one roll (T1.3)."""


class Line(NamedTuple):
    """One entry of a score: a single, a triple, or a face of a straight."""

    dice: Dice
    kind: str
    points: int
    rule: str


class Keep(NamedTuple):
    """Dice set aside from one roll, with the lines that they score."""

    dice: Dice
    points: int
    lines: tuple[Line, ...]
    rules: frozenset[str]


@cache
def shared(rules: frozenset[str]) -> frozenset[str]:
    """The same rules; equal sets are one object, for there are few and thousands of uses."""
    return rules


def _keep(dice: Dice, lines: tuple[Line, ...]) -> Keep:
    return Keep(dice, sum(x.points for x in lines), lines, shared(frozenset(x.rule for x in lines)))


@cache
def score(dice: Dice, earn: bool) -> Keep | None:
    """The dice as a keep of one roll, or None if one of them neither is a single nor in a triple.

    Three equal dice are always a triple (T1.6). Without ``earn`` the card alone pays, and every
    line is worth nothing (T5.5, T5.6, T5.7).
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
    """Different faces as a keep on a straight, where the card alone pays (T5.6)."""
    return _keep(dice, tuple(Line((face,), "face", 0, "T5.6") for face in dice))


@dataclass(frozen=True, slots=True, eq=False)
class Allowed:
    """What a roll allows to be set aside; nothing at all is a Niete (T2.1).

    Compared by identity: there is one object for each set of keeps.
    """

    keeps: tuple[Keep, ...]
    """Every legal keep, in lexicographic order of the dice."""
    most: Keep | None
    """The keep of every scoring die: what banking counts (T2.5)."""
    rules: frozenset[str]
    """The rules that the lines of all these keeps rest on."""


NO_KEEPS = Allowed((), None, frozenset())


@cache
def _allowed(keeps: tuple[Keep, ...]) -> Allowed:
    if not keeps:
        return NO_KEEPS
    most = max(keeps, key=lambda keep: len(keep.dice))
    return Allowed(keeps, most, shared(frozenset().union(*[keep.rules for keep in keeps])))


@cache
def allowed(roll: Dice, earn: bool) -> Allowed:
    """Any scoring singles and whole triples of the roll, but at least one (T2.2)."""
    per_face = []
    for face in FACES:
        step = 1 if face in SINGLES else 3
        per_face.append([(face,) * n for n in range(0, roll.count(face) + 1, step)])
    selections = (tuple(sum(parts, ())) for parts in product(*per_face))
    scored = (score(dice, earn) for dice in selections if dice)
    return _allowed(tuple(sorted(keep for keep in scored if keep is not None)))


@cache
def allowed_on_firework(roll: Dice) -> Allowed:
    """Every scoring die of the roll, and no less (T5.2)."""
    most = allowed(roll, True).most
    return _allowed(() if most is None else (most,))


@cache
def allowed_on_straight(free: Dice) -> Allowed:
    """Any of the faces of the roll that are not set aside yet, but at least one (T5.6)."""
    selections = (some for n in range(len(free)) for some in combinations(free, n + 1))
    return _allowed(tuple(sorted(map(faces, selections))))


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """The dice set aside since the last fresh six, roll by roll (T1.5).

    Compared by identity: there is one object for each sequence of keeps.
    """

    keeps: tuple[Dice, ...]
    number: int
    """Dice set aside."""
    points: int
    """What they are worth where dice earn (T1); nothing on a straight."""
    rules: frozenset[str]
    fits: bool
    """Whether each keep could be set aside from a roll."""


@lru_cache(maxsize=8192)
def aside(keeps: tuple[Dice, ...], straight: bool = False) -> Aside:
    """The dice of these keeps. Fewer than 600 sequences are legal, and 5000 on a straight."""
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
