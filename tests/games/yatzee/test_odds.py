"""The odds of Yatzee against brute force and published figures (O10 to O12).

The oracle tries every roll and uses no tables. Only the points of six dice come from the service,
which ``test_scoring.py`` checks.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from dice_referee.games.yatzee.categories import CATEGORIES, PLACE, Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.game import GAME
from dice_referee.games.yatzee.position import Position, worths
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.sheet import EMPTY
from dice_referee.games.yatzee.values import odds
from dice_referee.games.yatzee.values.holds import ScoringRules, odds_table
from dice_referee.games.yatzee.values.odds import CategoryOdds, Question
from dice_referee.rulebook.dice import FACES, Dice, as_dice, distinct_rolls
from dice_referee.rulebook.odds import roll_weights

HOUSE = DEFAULT.house({"distinct_faces": False, "throw_bonus": [0, 7, 30]})
ROLLS = ((1, 2, 3, 4, 5, 5), (2, 2, 4, 4, 6, 6), (1, 1, 1, 1, 3, 5), (3, 3, 3, 3, 3, 3))


def open_only(*categories: Category) -> tuple[int | None, ...]:
    """Returns a sheet with these categories open and the others filled with 0."""
    return tuple(None if category in categories else 0 for category in CATEGORIES)


def odds_of(dice: Dice | None, roll: int | None, rules: Ruleset = DEFAULT) -> list[CategoryOdds]:
    return list(Question(Position(rules, EMPTY, dice, roll)).odds().categories)


def points_if_satisfied(
    rules: Ruleset, dice: Dice, roll: int, category: Category
) -> tuple[int, int]:
    """Tells if the dice satisfy the category, and returns the points."""
    worth = worths(rules, as_dice(dice), roll)[PLACE[category]]
    return int(bool(worth.score.dice)), worth.points


def holds(dice: Dice) -> set[Dice]:
    return {held for number in range(7) for held in combinations(dice, number)}


def mean(values: Iterable[Fraction | int]) -> Fraction:
    listed = list(values)
    return Fraction(sum(listed), len(listed))


def every_roll(held: Dice) -> list[Dice]:
    return [as_dice((*held, *rolled)) for rolled in product(FACES, repeat=6 - len(held))]


@cache
def expectation(
    rules: Ruleset, category: Category, measure: int, dice: Dice, roll: int
) -> Fraction:
    """Returns the value of a category by trying every hold and every roll."""
    best = Fraction(points_if_satisfied(rules, dice, roll, category)[measure])
    if roll < 3:
        for held in holds(dice) - {dice}:
            best = max(best, hold_expectation(rules, category, measure, held, roll))
    return best


@cache
def hold_expectation(
    rules: Ruleset, category: Category, measure: int, held: Dice, roll: int
) -> Fraction:
    number = 6 - len(held)
    values = (
        ways * expectation(rules, category, measure, as_dice((*held, *rolled)), roll + 1)
        for rolled, ways in roll_weights(number).items()
    )
    return Fraction(sum(values), 6**number)


class TestPublishedFigures:
    @pytest.mark.parametrize(
        ("category", "chance", "value"),
        [
            (Category.YATZEE, 0.020453, 1.500348),
            (Category.ROYAL, 0.196829, 6.425418),
            (Category.HOUSE, 0.761360, 18.171608),
            (Category.SIXES, 0.962439, 15.166667),
        ],
    )
    def test_odds_at_the_start_of_a_turn_are_those_published(
        self, category: Category, chance: float, value: float
    ) -> None:
        entry = odds_of(None, None)[PLACE[category]]
        assert round(float(entry.chance), 6) == chance
        assert round(float(entry.value), 6) == value
        assert entry.par == entry.value

    def test_odds_of_the_upper_section_are_those_of_single_dice(self) -> None:
        for face, entry in zip(FACES, odds_of(None, None), strict=False):
            # The chance that a die shows the face within three rolls.
            chance = 1 - Fraction(5, 6) ** 3
            assert entry.value == 6 * face * chance
            assert entry.chance == 1 - (1 - chance) ** 6

    def test_mirrored_straights_have_equal_chances(self) -> None:
        entries = odds_of(None, None)
        small, large = (
            entries[PLACE[category]]
            for category in (Category.SMALL_STRAIGHT, Category.LARGE_STRAIGHT)
        )
        assert small.chance == large.chance
        assert entries[PLACE[Category.CHANCE]].chance == 1


class TestAgainstBruteForce:
    @pytest.mark.parametrize("rules", [DEFAULT, HOUSE])
    def test_odds_without_a_roll_left_equal_the_points(self, rules: Ruleset) -> None:
        for dice in distinct_rolls(6):
            for entry in odds_of(dice, 3, rules):
                satisfied, points = points_if_satisfied(rules, dice, 3, entry.category)
                assert entry.chance == satisfied
                assert entry.value == entry.now == points
                assert entry.hold_for_chance is entry.hold_for_value is None

    @pytest.mark.parametrize("rules", [DEFAULT, HOUSE])
    def test_last_roll_of_up_to_three_dice_equals_brute_force(self, rules: Ruleset) -> None:
        rng = Random(2)
        for dice in (*ROLLS, *rng.sample(list(distinct_rolls(6)), 4)):
            for held in (hold for hold in holds(dice) if 3 <= len(hold) < 6):
                fallen = every_roll(held)
                for place, category in enumerate(CATEGORIES):
                    scorecard = open_only(category)
                    question = Question(Position(rules, scorecard, dice, 2))
                    expected = mean(
                        points_if_satisfied(rules, outcome, 3, category)[1] for outcome in fallen
                    )
                    par = odds_of(None, None, rules)[place].par
                    assert question.worth(Roll(held)) == expected - par

    def test_last_roll_of_six_dice_equals_brute_force(self) -> None:
        fallen = every_roll(())
        for category in CATEGORIES:
            question = Question(Position(DEFAULT, open_only(category), ROLLS[0], 2))
            expected = mean(
                points_if_satisfied(DEFAULT, outcome, 3, category)[1] for outcome in fallen
            )
            par = odds_of(None, None)[PLACE[category]].par
            assert question.worth(Roll()) == expected - par

    @pytest.mark.parametrize("rules", [DEFAULT, HOUSE])
    def test_best_hold_equals_brute_force(self, rules: Ruleset) -> None:
        for dice in ROLLS:
            for entry in odds_of(dice, 2, rules):
                assert entry.chance == expectation(rules, entry.category, 0, dice, 2)
                assert entry.value == expectation(rules, entry.category, 1, dice, 2)

    @pytest.mark.parametrize("category", [Category.HOUSE, Category.ROYAL, Category.THREE_PAIRS])
    def test_odds_with_two_rolls_left_equal_brute_force(self, category: Category) -> None:
        dice = ROLLS[1]
        entry = odds_of(dice, 1)[PLACE[category]]
        assert entry.chance == expectation(DEFAULT, category, 0, dice, 1)
        assert entry.value == expectation(DEFAULT, category, 1, dice, 1)


class TestHolds:
    @pytest.mark.parametrize(
        ("dice", "roll", "category", "chance", "value"),
        [
            # The most dice of equal holds: a satisfied category is not rolled for again.
            ((1, 1, 2, 3, 4, 6), 2, Category.ONE_PAIR, (1, 1, 2, 3, 4, 6), (6,)),
            # The highest of equal holds: both triples give the same chance.
            ((1, 1, 1, 6, 6, 6), 1, Category.YATZEE, (6, 6, 6), (6, 6, 6)),
            ((1, 1, 2, 2, 3, 5), 2, Category.THREE_PAIRS, (1, 1, 2, 2, 5), (1, 1, 2, 2, 5)),
            # Stopping early is a choice: 10 points on top of a royal are worth more than any roll.
            ((1, 2, 3, 4, 5, 6), 1, Category.ROYAL, (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
        ],
    )
    def test_tied_holds_prefer_the_most_then_the_highest_dice(
        self, dice: Dice, roll: int, category: Category, chance: Dice, value: Dice
    ) -> None:
        entry = odds_of(dice, roll)[PLACE[category]]
        assert (entry.hold_for_chance, entry.hold_for_value) == (chance, value)

    def test_tied_holds_of_random_dice_prefer_the_same_order(self) -> None:
        """Expects the best hold with the most dice, and the highest of these."""
        for dice in Random(7).sample(list(distinct_rolls(6)), 12):
            for place, category in enumerate(CATEGORIES):
                question = Question(Position(DEFAULT, open_only(category), dice, 2))
                entry = odds_of(dice, 2)[place]
                assert entry.hold_for_value is not None
                order = sorted(holds(dice), key=lambda hold: (len(hold), hold[::-1]), reverse=True)
                gains = [
                    question.worth(Roll(held)) if len(held) < 6 else question.worth(Write(category))
                    for held in order
                ]
                assert entry.hold_for_value == order[gains.index(max(gains))]

    def test_early_roll_bonus_is_taken_if_it_is_worth_more(self) -> None:
        dice = (1, 2, 3, 4, 5, 6)
        late = DEFAULT.house({"throw_bonus": [0, 0, 100]})
        assert odds_of(dice, 1)[PLACE[Category.CHANCE]].hold_for_value == dice
        entry = odds_of(dice, 1, late)[PLACE[Category.CHANCE]]
        assert entry.hold_for_value != dice
        assert entry.value > 121


def gain_of(
    category: Category, filled: dict[Category, int], rules: Ruleset = DEFAULT
) -> CategoryOdds:
    scorecard = tuple(filled.get(category) for category in CATEGORIES)
    question = Question(Position(rules, scorecard, (1, 6, 6, 6, 6, 6), 3))
    return next(entry for entry in question.odds().categories if entry.category is category)


UPPER = {
    Category.ONES: 0,
    Category.TWOS: 0,
    Category.FOURS: 24,
    Category.FIVES: 0,
    Category.SIXES: 36,
}


class TestGains:
    def test_gain_of_a_lower_category_is_its_points_above_par(self) -> None:
        entry = gain_of(Category.FOUR_OF_A_KIND, {})
        assert entry.gain == 24 - entry.par

    def test_gain_of_an_upper_category_includes_a_bonus_share(self) -> None:
        entry = gain_of(Category.SIXES, {})
        assert entry.gain == 30 - Fraction(91, 6) + Fraction(50 * (30 - 18), 84)
        entry = gain_of(Category.ONES, {})
        assert entry.gain == 1 - Fraction(91, 36) + Fraction(50 * (1 - 3), 84)

    def test_gain_follows_the_options_of_the_ruleset(self) -> None:
        rules = DEFAULT.house({"upper_bonus": 35, "upper_threshold": 63})
        entry = gain_of(Category.SIXES, {}, rules)
        assert entry.gain == 30 - Fraction(91, 6) + Fraction(35 * (30 - 18), 63)

    @pytest.mark.parametrize(
        ("sheet", "is_open"),
        [
            ({}, True),
            # Six 3s score 18 points: 66 points grow to the 84 of the threshold, 65 do not.
            ({**UPPER, Category.ONES: 6}, True),
            ({**UPPER, Category.ONES: 5}, False),
            # The sheet has 84 points already, or 83.
            ({**UPPER, Category.FIVES: 20, Category.ONES: 4}, False),
            ({**UPPER, Category.FIVES: 20, Category.ONES: 3}, True),
            ({Category.FIVES: 0, Category.SIXES: 0}, False),
            ({Category.FIVES: 0, Category.SIXES: 6}, False),
        ],
    )
    def test_gain_includes_the_bonus_only_while_it_is_open(
        self, sheet: dict[Category, int], is_open: bool
    ) -> None:
        filled = {category: 0 for category in CATEGORIES if not category.is_upper} | sheet
        scorecard = tuple(filled.get(category) for category in CATEGORIES)
        position = Position(DEFAULT, scorecard, (3, 3, 3, 3, 3, 3), 3)
        assert odds.bonus_is_open(position) is is_open
        answer = Question(position).odds()
        threes = answer.categories[
            [entry.category for entry in answer.categories].index(Category.THREES)
        ]
        share = Fraction(50 * (18 - 9), 84) if is_open else 0
        assert threes.gain == 18 - Fraction(91, 12) + share
        assert ("O12" in answer.rules) is is_open

    def test_ties_go_to_the_first_category(self) -> None:
        # Before the first roll every lower category is at its par.
        answer = Question(Position(DEFAULT, open_only(Category.HOUSE, Category.ROYAL))).odds()
        assert [entry.gain for entry in answer.categories] == [0, 0]
        assert (answer.best, answer.event) == (Category.ROYAL, Roll())


class TestCitedRules:
    ALWAYS = frozenset({"O1", "O2", "O3", "O10", "O11", "Y1.1", "Y1.2", "Y1.3"})

    @pytest.mark.parametrize(
        ("sheet", "more"),
        [
            (EMPTY, {"O12", "Y2.1", "Y2.2", "Y3.1", "Y3.2", "Y3.3", "Y3.4"}),
            (open_only(Category.ONES), {"Y2.1"}),
            (open_only(Category.ROYAL), {"Y3.1", "Y3.2"}),
            (open_only(Category.HOUSE), {"Y3.1", "Y3.2", "Y3.3"}),
            (open_only(Category.CHANCE), {"Y3.1", "Y3.2", "Y3.4"}),
        ],
    )
    def test_odds_cite_the_rules_of_the_open_categories(
        self, sheet: tuple[int | None, ...], more: set[str]
    ) -> None:
        assert Question(Position(DEFAULT, sheet)).odds().rules == self.ALWAYS | more


def random_position(rng: Random) -> Position:
    scorecard: list[int | None] = [None] * 18
    for category in rng.sample(CATEGORIES, rng.choice([0, 5, 12, 17])):
        dice = as_dice(rng.choices(FACES, k=6))
        scorecard[PLACE[category]] = worths(DEFAULT, dice, 2)[PLACE[category]].points
    rules = rng.choice([DEFAULT, HOUSE])
    if rng.random() < 0.2:
        return Position(rules, tuple(scorecard))
    return Position(rules, tuple(scorecard), as_dice(rng.choices(FACES, k=6)), rng.randint(1, 3))


def events(position: Position) -> list[Event]:
    """Returns every legal event, its dice not rolled."""
    if position.roll is None:
        return [Roll()]
    lines = [category for category in CATEGORIES if position.scorecard[PLACE[category]] is None]
    every: list[Event] = [Roll(held) for held in holds(position.roll)]
    every += [kind(line) for line in lines for kind in (Write, Strike)]
    return [event for event in every if not list(event.objections(position, ""))]


class TestBestEvent:
    def test_best_event_is_legal_and_has_the_highest_worth(self) -> None:
        rng = Random(11)
        for _ in range(150):
            position = random_position(rng)
            question = Question(position)
            answer = question.odds()
            gains = {entry.category: entry.gain for entry in answer.categories}
            assert answer.event in events(position)
            assert gains[answer.best] == max(gains.values()) == question.value()
            worths_of_all = [question.worth(event) for event in events(position)]
            assert question.worth(answer.event) == question.value() == max(worths_of_all)


class TestLuckAndPlay:
    @pytest.mark.parametrize("category", [Category.HOUSE, Category.FIVES, Category.ROYAL])
    @pytest.mark.parametrize("roll", [0, 1, 2])
    def test_luck_on_the_last_category_has_a_mean_of_zero(
        self, category: Category, roll: int
    ) -> None:
        scorecard = open_only(category)
        before = (
            Position(DEFAULT, scorecard, (2, 3, 3, 5, 5, 6), roll)
            if roll
            else Position(DEFAULT, scorecard)
        )
        question, held = Question(before), (3, 3, 5) if roll else ()
        total: Fraction | float = Fraction(0)
        for rolled, ways in roll_weights(6 - len(held)).items():
            event = Roll(held, rolled)
            turn = event.play(before).turn
            total += ways * question.worth_after(event, turn)
        assert total / 6 ** (6 - len(held)) == question.worth(Roll(held))

    @pytest.mark.parametrize(
        "event", [Write(Category.HOUSE), Strike(Category.HOUSE), Write(Category.FIVES)]
    )
    def test_writing_and_striking_have_no_luck(self, event: Write | Strike) -> None:
        question = Question(Position(DEFAULT, EMPTY, (3, 3, 3, 5, 5, 6), 2))
        turn = event.play(question.position).turn
        assert question.worth_after(event, turn) == question.worth(event)

    def test_gain_of_a_strike_is_minus_the_par(self) -> None:
        question = Question(Position(DEFAULT, EMPTY, (3, 3, 3, 5, 5, 6), 2))
        par = odds_of(None, None)[PLACE[Category.HOUSE]].par
        assert question.worth(Strike(Category.HOUSE)) == -par
        assert question.worth(Write(Category.HOUSE)) == 9 + 10 + 5 - par


class TestQuestions:
    def test_question_at_a_position_counts_points(self) -> None:
        question = GAME.question_at(Position(DEFAULT))
        assert question == Question(Position(DEFAULT))
        assert question.unit == "points"

    def test_question_leaves_a_choice_after_a_roll(self) -> None:
        assert not Question(Position(DEFAULT)).leaves_a_choice
        assert Question(Position(DEFAULT, EMPTY, ROLLS[0], 3)).leaves_a_choice


class TestValueTables:
    def test_value_table_of_house_rules_is_built_on_demand(self) -> None:
        question = Question(Position(DEFAULT.house({"throw_bonus": [1, 2, 3]})))
        assert not GAME.is_published(question)
        assert not GAME.is_prepared(question)
        question.value()
        assert GAME.is_prepared(question)

    def test_value_tables_depend_only_on_faces_and_throw_bonus(self) -> None:
        house = DEFAULT.house({"upper_bonus": 35})
        keys = {Question(Position(rules)).table_key for rules in (DEFAULT, house)}
        assert keys == odds.VALUE_TABLES.published

    def test_equal_faces_never_lower_values(self) -> None:
        strict, loose = (
            odds_table(ScoringRules(distinct, (10, 5, 0))) for distinct in (True, False)
        )
        for strict_points, loose_points in zip(strict.points, loose.points, strict=True):
            assert strict_points.start <= loose_points.start
        assert (
            sum(
                strict_points.start < loose_points.start
                for strict_points, loose_points in zip(strict.points, loose.points, strict=True)
            )
            == 4
        )
