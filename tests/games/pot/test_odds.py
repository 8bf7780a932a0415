"""The odds of POT against brute force over the 216 outcomes of a roll.

The oracle has three real dice and tries every assignment of the faces to them.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import pytest

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Event, Roll
from dice_referee.games.pot.game import GAME
from dice_referee.games.pot.position import Position
from dice_referee.games.pot.rulesets import POT_2020 as DEFAULT
from dice_referee.games.pot.scoring import COMBOS, as_dice, distinct_rolls, without
from dice_referee.games.pot.values import odds
from dice_referee.games.pot.values.odds import Choice, Question
from dice_referee.rulebook.errors import ImpossiblePosition
from dice_referee.rulebook.findings import Finding

Dice = tuple[Any, ...]

FACES: list[list[Any]] = [[1, 2, 3, 4, 5, letter] for letter in "POT"]
COINS = Coins((5, 3, 2, 4), 3, 38)
LAST_COIN = Coins((1, 7, 2, 4), 3, 38)
POOR = Coins((0, 8, 2, 4), 3, 38)
TARGETS = (None, 1, 7, 9, 12, 14, 15)


def question_for(dice: Dice | None = None, rolls_made: int | None = None, **more: Any) -> Question:
    """Returns the question of the first of four players."""
    to_beat = more.pop("to_beat", None)
    more |= {} if to_beat is None else {"holder": 1, "to_beat": to_beat}
    coins = more.pop("coins", COINS)
    return Question(Position(more.pop("rules", DEFAULT), coins, 0, dice, rolls_made, **more))


# The oracle ---------------------------------------------------------------------------------------


def in_order(dice: Any) -> Dice:
    """Returns the faces in a fixed order, whichever dice show them."""
    return tuple(sorted(dice, key=str))


@cache
def assignments(lying: Dice) -> list[Dice]:
    """Returns the equally likely assignments of the faces to the P, the O and the T die."""
    return [
        way
        for way in permutations(lying)
        if all(face in faces for face, faces in zip(way, FACES, strict=True))
    ]


@cache
def outcomes_of(lying: Dice, held: Dice) -> Counter[Dice]:
    """Counts the outcomes after the other dice have been rolled."""
    outcomes: Counter[Dice] = Counter()
    for way in assignments(lying) if lying else [()]:
        for places in combinations(range(3), len(held)):
            if in_order(way[die] for die in places) == held:
                sides = [[way[die]] if die in places else FACES[die] for die in range(3)]
                outcomes.update(in_order(dice) for dice in product(*sides))
    return outcomes


def total(dice: Dice) -> int:
    return sum(face for face in dice if isinstance(face, int))


def result(points: int, to_beat: int | None) -> int:
    return points if to_beat is None else int(points > to_beat)


@cache
def expectation(dice: Dice, left: int, to_beat: int | None) -> Fraction:
    """Returns the expectation of these dice with this many rolls left."""
    if dice == (1, 1, 1):
        return Fraction(0)
    if dice == in_order("POT"):
        return Fraction(16 if to_beat is None else 1)
    ways = [roll_expectation(dice, held, left, to_beat) for held in holds(dice, left)]
    return max([acceptance_value(dice, to_beat), *ways])


def holds(dice: Dice, left: int) -> list[Dice]:
    if not left:
        return []
    return sorted({in_order(hold) for n in range(3) for hold in combinations(dice, n)}, key=str)


@cache
def acceptance_value(dice: Dice, to_beat: int | None) -> Fraction:
    if dice != (1, 2, 3):
        return Fraction(result(total(dice), to_beat))
    sides = [2], FACES[0], FACES[1]
    return Fraction(sum(result(total(last), to_beat) for last in product(*sides)), 36)


@cache
def roll_expectation(lying: Dice, held: Dice, left: int, to_beat: int | None) -> Fraction:
    after = outcomes_of(lying, held)
    values = (times * expectation(dice, left - 1, to_beat) for dice, times in after.items())
    return Fraction(sum(values), after.total())


def held_faces(event: Event) -> Dice | None:
    """Returns the faces that a roll holds, or None for an acceptance."""
    return in_order(event.held) if isinstance(event, Roll) else None


# The tests ----------------------------------------------------------------------------------------


class TestAgainstBruteForce:
    @pytest.mark.parametrize("to_beat", TARGETS)
    @pytest.mark.parametrize("rolls_made", [1, 2, 3])
    def test_choices_of_all_possible_dice_equal_brute_force(
        self, rolls_made: int, to_beat: int | None
    ) -> None:
        for dice in distinct_rolls():
            question = question_for(dice, rolls_made, to_beat=to_beat)
            if question.position.end(""):
                continue
            left, choices = 3 - rolls_made, question.odds().choices
            lying = in_order(dice)
            expected: dict[Dice | None, Fraction] = {None: acceptance_value(lying, to_beat)}
            expected |= {
                held: roll_expectation(lying, held, left, to_beat) for held in holds(lying, left)
            }
            assert {held_faces(choice.event): choice.value for choice in choices} == expected
            assert question.value() == expectation(lying, left, to_beat)

    @pytest.mark.parametrize("to_beat", TARGETS)
    def test_first_roll_equals_brute_force(self, to_beat: int | None) -> None:
        for coins, left in ((COINS, 3), (LAST_COIN, 3), (POOR, 2)):
            question = question_for(to_beat=to_beat, coins=coins)
            (choice,) = question.odds().choices
            assert choice.event == Roll()
            assert choice.value == roll_expectation((), (), left, to_beat) == question.value()

    @pytest.mark.parametrize("to_beat", TARGETS)
    def test_roll_after_1_2_3_equals_brute_force(self, to_beat: int | None) -> None:
        question = question_for(held=(2,), rolls_made=1, to_beat=to_beat)
        answer = question.odds()
        (choice,) = answer.choices
        assert choice.event == Roll(held=(2,))
        assert choice.combos == ()
        assert choice.value == acceptance_value((1, 2, 3), to_beat) == question.value()
        assert answer.rules >= {"P4.1", "O13"}

    def test_combos_of_the_next_roll_equal_brute_force(self) -> None:
        for rules in (DEFAULT, DEFAULT.house({"zero_letter": "O"})):
            for dice in distinct_rolls():
                question = question_for(dice, 1, rules=rules)
                if question.position.end(""):
                    continue
                for choice in question.odds().choices:
                    if isinstance(choice.event, Roll):
                        after = outcomes_of(in_order(dice), in_order(choice.event.held))
                        assert dict(choice.combos) == {
                            combo: chance
                            for combo in COMBOS
                            if (
                                chance := Fraction(
                                    of_combo(after, combo.id, rules.zero_letters), after.total()
                                )
                            )
                        }


def of_combo(after: Counter[Dice], combo: str, zeros: tuple[str, ...]) -> int:
    named = {
        "pot": [in_order("POT")],
        "four-twenty": [in_order((2, 4, zero)) for zero in zeros],
        **{f"triple-{face}": [(face,) * 3] for face in range(1, 6)},
        **{f"straight-{low}{low + 1}{low + 2}": [(low, low + 1, low + 2)] for low in (1, 2, 3)},
    }
    return sum(after[dice] for dice in named[combo])


class TestFigures:
    @pytest.mark.parametrize(
        ("rolls_made", "coins", "to_beat", "chance"),
        [
            # Only P O T beats 15. Only P O T and 5 5 5 beat 14.
            (2, COINS, 15, Fraction(1, 216)),
            (2, COINS, 14, Fraction(2, 216)),
        ],
    )
    def test_last_roll_of_all_dice_has_its_chance(
        self, rolls_made: int, coins: Coins, to_beat: int, chance: Fraction
    ) -> None:
        question = question_for((1, 1, 2), rolls_made, coins=coins, to_beat=to_beat)
        assert question.worth(Roll()) == chance

    def test_held_die_of_a_pair_may_be_either_die(self) -> None:
        # The held 4 is the O die or the T die. An O can only be rolled if the 4 is the T die.
        rules = DEFAULT.house({"zero_letter": "O"})
        choice = choice_of(question_for((4, 4, "P"), 1, rules=rules), Roll(held=(4,)))
        assert {combo.id: chance for combo, chance in choice.combos}["four-twenty"] == Fraction(
            1, 72
        )

    def test_two_held_letters_have_two_rolls_for_the_third(self) -> None:
        choice = choice_of(question_for((3, "P", "O"), 1, to_beat=15), Roll(held=("P", "O")))
        # Two rolls_made are left for the T.
        assert choice.beats == 1 - Fraction(5, 6) ** 2
        assert [(combo.id, chance) for combo, chance in choice.combos] == [("pot", Fraction(1, 6))]

    def test_sudden_death_has_an_expected_sum_of_7_and_a_half(self) -> None:
        # In sudden death 1 1 1 counts 3 and P O T nothing.
        (first,) = question_for(tied=(0, 1), coins=Coins((25, 25, 2, 3), 0, 0)).odds().choices
        assert (first.beats, first.sum, first.combos) == (None, Fraction(15, 2), ())
        (second,) = (
            question_for(tied=(0, 1), sums=(14,), coins=Coins((25, 25, 2, 3), 0, 0)).odds().choices
        )
        assert (second.beats, second.sum) == (Fraction(1, 216), Fraction(15, 2))
        (third,) = (
            question_for(tied=(0, 1), sums=(0,), coins=Coins((25, 25, 2, 3), 0, 0)).odds().choices
        )
        assert third.beats == Fraction(215, 216)


def choice_of(question: Question, event: Event) -> Choice:
    return next(choice for choice in question.odds().choices if choice.event == event)


class TestChoices:
    def test_choices_are_ordered_by_number_of_held_dice_then_face(self) -> None:
        order = [held_faces(choice.event) for choice in question_for((2, 5, "T"), 1).odds().choices]
        assert order == [None, (2, 5), (5, "T"), (2, "T"), (5,), (2,), ("T",), ()]
        order = [
            held_faces(choice.event) for choice in question_for((5, "P", "O"), 1).odds().choices
        ]
        assert order == [None, (5, "P"), (5, "O"), in_order("PO"), (5,), ("P",), ("O",), ()]

    def test_equal_dice_form_a_single_choice(self) -> None:
        order = [held_faces(choice.event) for choice in question_for((5, 5, 5), 1).odds().choices]
        # Three rewards: two rivals get a coin each.
        assert order == [None, None, None, (5, 5), (5,), ()]

    def test_rewards_are_in_the_order_of_the_adjudication(self) -> None:
        choices = question_for((2, 2, 2), 1, to_beat=5).odds().choices
        accepts = [choice.event.players for choice in choices if isinstance(choice.event, Accept)]
        assert accepts == [(), (1,), (1, 2), (1, 3), (2,), (2, 3), (3,)]
        assert {choice.beats for choice in choices[: len(accepts)]} == {Fraction(1)}

    @pytest.mark.parametrize(
        ("rolls_made", "coins", "prices"),
        [(1, COINS, {0}), (2, COINS, {1}), (3, COINS, set()), (2, POOR, set())],
    )
    def test_second_roll_costs_a_coin(
        self, rolls_made: int, coins: Coins, prices: set[int]
    ) -> None:
        choices = question_for((1, 2, 4), rolls_made, coins=coins).odds().choices
        assert {choice.price for choice in choices if isinstance(choice.event, Roll)} == prices
        assert {choice.price for choice in choices if isinstance(choice.event, Accept)} == {0}

    def test_player_without_coins_has_no_third_roll(self) -> None:
        rich, poor = (question_for((1, 2, 4), 1, coins=coins, to_beat=9) for coins in (COINS, POOR))
        assert poor.value() == max(
            roll_expectation((1, 2, 4), held, 1, 9) for held in holds((1, 2, 4), 1)
        )
        assert rich.value() == max(
            roll_expectation((1, 2, 4), held, 2, 9) for held in holds((1, 2, 4), 2)
        )
        assert rich.value() > poor.value()
        # A player without coins has to accept 7 after the free roll.
        assert question_for((1, 2, 4), 2, coins=POOR, to_beat=9).value() == 0
        assert question_for((1, 2, 4), 2, coins=LAST_COIN, to_beat=9).value() > 0

    def test_first_of_equal_choices_is_best(self) -> None:
        # No remaining choice can beat 15.
        answer = question_for((1, 2, 3), 3, to_beat=15).odds()
        assert answer.best == answer.choices[0].value == 0
        # 5 5 5 beats 14 with every reward, so the choices are equal.
        assert question_for((5, 5, 5), 1, to_beat=14).odds().best == 0

    @pytest.mark.parametrize(("dice", "rule"), [((1, 1, 1), "P2.2"), (("P", "O", "T"), "P2.3")])
    def test_finished_turn_has_no_odds(self, dice: Dice, rule: str) -> None:
        document = {
            "roll": dice,
            "rolls_made": 1,
            "coins": (3, 3),
            "pot": 1,
            "bank": 48,
            "player": 0,
        }
        with pytest.raises(ImpossiblePosition) as refused:
            GAME.question_of(document)
        assert refused.value.findings == (Finding("turn-over", rule, "/roll"),)

    def test_choices_are_legal(self) -> None:
        for question in questions_of_every_phase():
            for choice in question.odds().choices:
                assert list(choice.event.objections(question.position, "")) == []

    def test_odds_cite_the_rules_of_the_phase(self) -> None:
        always, ends = {"O1", "O2", "O3", "O13", "P1.1"}, {"P2.1", "P2.4", "P3.1", "P4.1"}
        rolls_made = {"O14", "P2.2", "P2.3"}
        for question, rules in (
            (question_for(), always | ends | rolls_made),
            (question_for((1, 2, 4), 1), always | ends | rolls_made),
            (question_for((1, 2, 4), 3), always | ends),
            (question_for(held=(2,), rolls_made=1), always | {"P3.1", "P4.1"}),
            (question_for(tied=(0, 1), coins=Coins((25, 25, 2, 3), 0, 0)), always | {"P6.2"}),
        ):
            assert question.odds().rules == rules


def questions_of_every_phase() -> Iterator[Question]:
    """Yields questions of every phase."""
    tie = Coins((25, 25, 2, 3), 0, 0)
    for to_beat in (None, 9):
        yield question_for(to_beat=to_beat)
        yield question_for(held=(2,), rolls_made=2, to_beat=to_beat)
        for rolls_made in (1, 2, 3):
            for dice in distinct_rolls():
                question = question_for(dice, rolls_made, to_beat=to_beat)
                if not question.position.end(""):
                    yield question
    yield question_for(tied=(0, 1), coins=tie)
    yield question_for(tied=(0, 1), sums=(7,), coins=tie)


class TestLuckAndPlay:
    def test_luck_has_a_mean_of_zero(self) -> None:
        """Expects the mean result of a roll to equal its value."""
        for question in questions_of_every_phase():
            position = question.position
            for choice in question.odds().choices:
                if not isinstance(choice.event, Roll):
                    continue
                held = choice.event.held
                after = outcomes_of(in_order(position.lying), in_order(held))
                outcomes: Fraction | float = Fraction(0)
                for dice, times in after.items():
                    event = Roll(without(as_dice(dice), held), held)
                    turn = event.play(position).turn
                    outcomes += times * question.worth_after(event, turn)
                assert outcomes / after.total() == question.worth(choice.event)

    @pytest.mark.parametrize(
        ("before", "event", "result"),
        [
            # The result of the roll after 1 2 3, or of a roll in sudden death.
            (question_for(held=(2,), rolls_made=1), Roll((4, 5), (2,)), 11),
            (question_for(held=(2,), rolls_made=1), Roll((4, 5)), 11),
            (question_for(held=(2,), rolls_made=1, to_beat=10), Roll((4, 5), (2,)), 1),
            (question_for(tied=(0, 1), coins=Coins((25, 25, 2, 3), 0, 0)), Roll((1, 1, 1)), 3),
            (
                question_for(tied=(0, 1), coins=Coins((25, 25, 2, 3), 0, 0)),
                Roll(("P", "O", "T")),
                0,
            ),
            # The results that end a turn: nothing, or more than any sum.
            (question_for(), Roll((1, 1, 1)), 0),
            (question_for((1, 2, 4), 1), Roll(("P", "O", "T")), 16),
            (question_for((1, "P", "O"), 1), Roll(("T",), ("P", "O")), 16),
            (question_for((2, 5, 5), 3), Accept(), 12),
        ],
    )
    def test_event_that_ends_a_turn_is_worth_its_result(
        self, before: Question, event: Event, result: int
    ) -> None:
        turn = event.play(before.position).turn
        assert before.worth_after(event, turn) == result

    def test_question_at_a_position_contains_the_position(self) -> None:
        position = question_for((1, 2, 4), 1).position
        assert GAME.question_at(position) == Question(position)

    def test_accepting_has_no_luck(self) -> None:
        for question in questions_of_every_phase():
            for choice in question.odds().choices:
                if isinstance(choice.event, Accept):
                    turn = choice.event.play(question.position).turn
                    assert question.worth_after(choice.event, turn) == choice.value
                    assert question.worth(choice.event) == choice.value

    @pytest.mark.parametrize(
        ("question", "unit", "chooses"),
        [
            (question_for((1, 2, 4), 1), "sum", True),
            (question_for((1, 2, 4), 1, to_beat=5), "chance", True),
            (question_for((1, 2, 4), 3), "sum", False),
            (question_for(to_beat=5), "chance", False),
        ],
    )
    def test_question_has_its_unit_and_flag_of_a_choice(
        self, question: Question, unit: str, chooses: bool
    ) -> None:
        assert question.unit == unit
        assert question.leaves_a_choice is chooses


class TestValueTables:
    def test_value_tables_are_published_for_every_result(self) -> None:
        results = (None, *range(1, 16))
        assert {
            question_for(to_beat=result).table_key for result in results
        } == odds.VALUE_TABLES.published

    def test_higher_result_is_harder_to_beat(self) -> None:
        chances = [question_for(to_beat=to_beat).value() for to_beat in range(1, 16)]
        assert chances == sorted(set(chances), reverse=True)
