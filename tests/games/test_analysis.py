"""Figures of the guide to odds equal the computed values and a second method's."""

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise, product
from random import Random

import pytest

from dice_referee.games.tutto.events import SetAside
from dice_referee.games.tutto.position import Position
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import RULESETS, DoubleScope, FireworkKeep, Ruleset
from dice_referee.games.tutto.scoring import scoring_of, straight_chance
from dice_referee.games.tutto.values.bots import STOPS_AT, advise
from dice_referee.games.tutto.values.odds import Question
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.dice import FACES, Dice
from tests.games.tutto.analysis import (
    BONUS_300,
    PILES,
    RULES,
    STOPPABLE,
    banks_first_rolls_from,
    banks_from,
    gains_of_drawing,
    gains_of_rolling,
    scoring_first_rolls,
    stops_from,
    worth,
)
from tests.games.tutto.plain_turn import (
    Habits,
    PlainTurn,
    best_number_of_faces,
    straight_of_every_face,
    tutto_of_every_die,
)
from tests.games.tutto.simulation import Bot, turns_written
from tests.tools.odds_guide import ODDS, computed_odds

READINGS = [
    DEFAULT.house({"firework_keep": keep.value, "double_scope": scope.value})
    for keep in FireworkKeep
    for scope in DoubleScope
] + [
    DEFAULT.house(options)
    for options in (
        {"plus_minus_pays": "exactly"},
        {"equal_dice": "doubled"},
        # Drawing with 1000 points is better than banking them only if the target is distant.
        {"plus_minus_tutto": "ends-turn", "target": 100_000},
        {"plus_minus_tutto": "ends-turn", "plus_minus_pays": "exactly"},
    )
]
DISTANT = DEFAULT.house({"plus_minus_pays": "exactly", "target": 1_000_000})


@pytest.mark.long
def test_guide_shows_the_computed_odds() -> None:
    text = ODDS.read_text("utf-8")
    assert computed_odds(text) == text


# The same turn, computed by a plain recursion -----------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [*RULES, *READINGS, pytest.param(DISTANT, marks=pytest.mark.long)],
    ids=lambda rules: f"{rules.house_rules}",
)
def test_plain_recursion_gives_the_same_values(rules: Ruleset) -> None:
    plain = PlainTurn(rules)
    assert plain.value() == pytest.approx(Question(Position(rules)).value(), abs=1e-9)
    for carried in range(0, 3000, 250):
        expected = Question(Position(rules, carried=carried)).value()
        assert plain.drawing(carried) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("rules", RULES, ids=RULESETS)
def test_plain_recursion_stops_at_the_same_points(rules: Ruleset) -> None:
    plain = PlainTurn(rules)
    for card in STOPPABLE:
        for dice in FACES[:-1]:
            stops = stops_from(rules, card, dice)
            assert plain.rolling(card, dice, stops, 0) < stops
            if stops > (6 - dice) * 50:
                assert plain.rolling(card, dice, stops - 50, 0) > stops - 50
    banks = banks_from(rules)
    assert plain.drawing(banks) < banks
    assert plain.drawing(banks - 50) > banks - 50


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES, ids=RULESETS)
def test_turn_of_the_careful_bot_has_the_value_of_its_habits(rules: Ruleset) -> None:
    habits = Habits(True, True, banks_tuttos=True, stops_from=STOPS_AT[Level.CAREFUL])
    bot = Bot(partial(advise, level=Level.CAREFUL))
    mean = turns_written(Random(5), bot, rules, 50_000)
    assert abs(mean.value - worth(rules, habits)) < 4 * mean.error


def subsets(faces: frozenset[int]) -> list[tuple[int, ...]]:
    """Returns every choice of some of these faces."""
    return [choice for number in range(1, len(faces) + 1) for choice in combinations(faces, number)]


@cache
def completion_chance(missing: frozenset[int], every_face: bool) -> Fraction:
    """Returns the chance to complete a straight, by every roll and every choice of new faces."""
    if not missing:
        return Fraction(1)
    fallen = Counter(missing.intersection(roll) for roll in product(FACES, repeat=len(missing)))
    total = Fraction()
    for new, ways in fallen.items():
        choices = [tuple(new)] if every_face else subsets(new)
        if new:
            total += ways * max(
                completion_chance(missing.difference(choice), every_face) for choice in choices
            )
    return total * Fraction(1, len(FACES) ** len(missing))


@cache
def greedy_tutto_chance(dice: int) -> Fraction:
    """Returns the chance of a Tutto if every scoring die is set aside: 1s, 5s and triples."""
    if not dice:
        return Fraction(1)
    group = {face: 1 if face in (1, 5) else 3 for face in FACES}
    scoring = Counter(
        sum(roll.count(face) // size * size for face, size in group.items())
        for roll in product(FACES, repeat=dice)
    )
    total = sum(
        ways * greedy_tutto_chance(dice - number) for number, ways in scoring.items() if number
    )
    return Fraction(total, len(FACES) ** dice)


def test_straights_and_tuttos_of_habits_equal_brute_force() -> None:
    for number in FACES:
        missing = frozenset(FACES[:number])
        assert straight_chance(number) == completion_chance(missing, False)
        assert straight_of_every_face(number) == completion_chance(missing, True)
        assert tutto_of_every_die(scoring_of(DEFAULT), number) == greedy_tutto_chance(number)


def test_habits_lower_chances_only_with_enough_dice() -> None:
    scoring = scoring_of(DEFAULT)
    for n in FACES:
        assert (straight_of_every_face(n) < straight_chance(n)) is (n > 3)
        assert (tutto_of_every_die(scoring, n) < scoring.tutto_chance(n)) is (n > 4)


# What the guide says in words ---------------------------------------------------------------------


def crossings(gains: list[float]) -> int:
    """Counts the changes between gain and loss."""
    return sum((before > 0) != (after > 0) for before, after in pairwise(gains))


def test_best_single_stopping_number_is_unique() -> None:
    for rules in RULES:
        for pile in PILES.values():
            assert crossings(gains_of_drawing(rules, pile)) == 1
        for card in STOPPABLE:
            for dice in FACES[:-1]:
                assert crossings(gains_of_rolling(rules, card, dice)) <= 1


def test_stopping_points_of_one_and_two_dice_are_equal() -> None:
    assert stops_from(DEFAULT, BONUS_300, 1) == stops_from(DEFAULT, BONUS_300, 2)


def has_triple(roll: Dice) -> bool:
    return any(roll.count(face) >= 3 for face in FACES)


def test_first_roll_without_triple_sets_one_die_aside() -> None:
    rolls = [(roll, odds) for roll, odds in scoring_first_rolls() if not has_triple(roll)]
    assert len(rolls) > 100
    for roll, odds in rolls:
        assert odds.best is not None
        assert odds.choices[odds.best].event == SetAside((1,) if 1 in roll else (5,)), roll


def test_first_rolls_are_banked_from_a_threshold() -> None:
    least = banks_first_rolls_from()
    banked = set()
    for _, odds in scoring_first_rolls():
        *keeps, bank = odds.choices
        if all(keep.next_roll is not None for keep in keeps):  # no Tutto
            banked.add((bank.value, odds.best == len(keeps)))
    assert {best for value, best in banked if value >= least} == {True}
    assert (least - 50, False) in banked


def test_straight_takes_one_face_while_five_are_missing() -> None:
    for missing in (5, 6):
        for new in range(1, missing):
            assert best_number_of_faces(missing, new) == 1
    for missing in FACES:
        assert best_number_of_faces(missing, missing) == missing
