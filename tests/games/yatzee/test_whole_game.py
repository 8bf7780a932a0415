"""Expected further points of a sheet: the service against recursion, the file and play (O15)."""

from collections.abc import Iterator
from random import Random
from statistics import mean, stdev
from typing import Any
from unittest.mock import Mock

import pytest

from dice_referee.games import catalogue
from dice_referee.games.review import review
from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.game import GAME
from dice_referee.games.yatzee.position import Over, Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.scoring import face_values
from dice_referee.games.yatzee.sheet import EMPTY, totals
from dice_referee.games.yatzee.values import holds, odds, whole_game
from dice_referee.games.yatzee.values.bots import advise
from dice_referee.games.yatzee.values.odds import Question
from dice_referee.games.yatzee.values.sheet import Aim, has_values, rest_of, sheet_values
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.dice import FACES, Dice, as_dice
from dice_referee.rulebook.errors import NoOdds
from tests.games.yatzee import plain
from tests.games.yatzee.exact import ExactValues
from tests.games.yatzee.judged import moves
from tests.games.yatzee.test_odds import events, open_only, random_position
from tests.tools.tables.sheet_game import solve
from tests.tools.tables.yatzee import sheet_game

YATZEE = catalogue()["yatzee"]
OPTIMUM = 354.1713561


def random_sheet(rng: Random, filled: int) -> tuple[int | None, ...]:
    scorecard: list[int | None] = [None] * len(CATEGORIES)
    for place in rng.sample(range(len(CATEGORIES)), filled):
        values = face_values(CATEGORIES[place], DEFAULT.distinct_faces)
        scorecard[place] = rng.choice([0, *sorted(values)])
    return tuple(scorecard)


def test_last_category_has_the_value_of_its_par() -> None:
    """Compares all 18 with the exact fractions of O10 and those of plain recursion."""
    pars = {entry.category: entry.par for entry in Question(Position(DEFAULT)).odds().categories}
    for category in Category:
        assert plain.rest(frozenset({category.value}), 0) == pars[category]
        position = Position(DEFAULT, open_only(category))
        assert whole_game.value(position) == pytest.approx(float(pars[category]), abs=1e-9)


@pytest.mark.parametrize(("points", "bonus"), [(78, 0), (83, 50), (84, 0)])
def test_last_category_earns_an_open_bonus(points: int, bonus: int) -> None:
    upper = {83: (0, 4, 9, 20, 20, 30), 84: (0, 6, 12, 16, 20, 30), 78: (0, 4, 9, 20, 15, 30)}
    scorecard = (None, *upper[points][1:], *(0,) * 12)
    assert totals(DEFAULT, scorecard).upper == points
    position = Position(DEFAULT, scorecard, (1, 2, 3, 4, 5, 6), 3)
    assert whole_game.value(position) == 1 + bonus
    turn = Write(Category.ONES).play(position).turn
    assert whole_game.worth_after(position, turn) == 1 + bonus


@pytest.mark.parametrize(
    ("categories", "points"),
    [
        (("house",), 0),
        (("sixes",), 54),
        (("threes",), 70),
        (("sixes", "house"), 60),
        (("ones", "royal"), 82),
        (("fours", "fives"), 50),
        (("chance", "yatzee"), 100),
        (("fives", "royal", "chance"), 60),
    ],
)
def test_few_open_categories_equal_plain_recursion(
    categories: tuple[str, ...], points: int
) -> None:
    """Expects exact values of up to two categories, and three within their stated accuracy."""
    scorecard = with_upper_sum(open_only(*map(Category, categories)), points)
    expected = float(plain.rest(frozenset(categories), points))
    answer = whole_game.whole_game(Position(DEFAULT, scorecard))
    assert (answer.accuracy.largest == 0) is (len(categories) <= 2)
    assert answer.value == pytest.approx(expected, abs=max(1e-9, answer.accuracy.largest))


def with_upper_sum(scorecard: tuple[int | None, ...], points: int) -> tuple[int | None, ...]:
    """Spreads the points over the filled upper categories, whose own limits do not matter here."""
    first = next(place for place, entry in enumerate(scorecard) if entry is not None)
    return (*scorecard[:first], points, *scorecard[first + 1 :])


def test_striking_house_beats_writing_chance_at_the_end() -> None:
    """Chance alone is worth 31.7975 (O10). The table had 31.619 and preferred 31.739."""
    scorecard = (3, 6, 12, 16, 20, 30, 12, 20, 0, 15, 20, 0, 15, 20, 0, None, None, 0)
    answer = whole_game.whole_game(Position(DEFAULT, scorecard, (1, 1, 2, 2, 3, 4), 3))
    values = {choice.event: choice.value for choice in answer.choices}
    assert answer.best is not None
    assert answer.choices[answer.best].event == Strike(Category.HOUSE)
    assert values[Strike(Category.HOUSE)] == pytest.approx(31.7975, abs=5e-5)
    assert values[Write(Category.CHANCE)] == pytest.approx(13 + 18.1716, abs=5e-5)


@pytest.mark.parametrize(
    ("pair", "rolls"),
    [
        ((Category.HOUSE, Category.YATZEE), 9),
        ((Category.ONES, Category.ROYAL), 6),
        ((Category.FIVES, Category.SIXES), 3),
    ],
)
def test_uncached_last_categories_compute_at_most_nine_rolls(
    pair: tuple[Category, Category], rolls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts the rolls whose values are computed, each in some 0.5 ms (20 ms are allowed).

    A turn has three rolls: that of the pair, and that of each lower category which is left.
    ``make bench`` measures the milliseconds.
    """
    for points in range(whole_game.KEPT_STAGES):
        # Each of these sheets evicts a value from the caches.
        whole_game.value(Position(DEFAULT, with_upper_sum(open_only(Category.TWOS), points)))
    means = Mock(wraps=holds.means)
    monkeypatch.setattr(whole_game, "means", means)
    whole_game.value(Position(DEFAULT, open_only(*pair)))
    assert means.call_count == rolls


def test_choice_of_the_last_category_is_exact() -> None:
    """Expects the points of the only open category as the value of writing it."""
    scorecard, dice = open_only(Category.HOUSE), (3, 3, 3, 5, 6, 6)
    late = whole_game.whole_game(Position(DEFAULT, scorecard, dice, 3))
    assert [(choice.event, choice.value) for choice in late.choices] == [
        (Write(Category.HOUSE), 21)
    ]
    early = whole_game.whole_game(Position(DEFAULT, scorecard, dice, 1))
    assert early.best is not None
    assert early.choices[early.best].event == Write(Category.HOUSE)
    assert early.value == 21 + 10


def test_table_satisfies_its_equations_at_a_thousand_states() -> None:
    """Expects the value of a state to follow from its best turn and the later states."""
    rng, values, errors = Random(15), sheet_values(), []
    for number in range(1000):
        scorecard = random_sheet(rng, number % len(CATEGORIES))
        computed = whole_game.value(Position(DEFAULT, scorecard))
        errors.append(values.value(rest_of(scorecard)) - computed)
    assert max(map(abs, errors)) < 0.71
    assert mean(error * error for error in errors) ** 0.5 < 0.1


def test_empty_card_has_the_published_value() -> None:
    assert whole_game.value(Position(DEFAULT)) == pytest.approx(OPTIMUM, abs=0.05)


@pytest.mark.parametrize(
    ("dice", "event", "value"),
    [
        ((3, 3, 3, 3, 6, 6), Roll((3, 3, 3, 3)), 362.53),
        ((1, 1, 2, 2, 5, 6), Roll((5, 6)), None),
        ((1, 2, 3, 4, 4, 6), Roll((4, 4)), 349.89),
    ],
)
def test_first_rolls_have_the_published_best_hold(
    dice: Dice, event: Event, value: float | None
) -> None:
    position = Position(DEFAULT, EMPTY, dice, 1)
    assert whole_game.whole_game(position).event == event
    if value is not None:
        assert whole_game.value(position) == pytest.approx(value, abs=0.05)


def test_choices_are_all_legal_events_but_needless_strikes() -> None:
    rng, seen = Random(3), 0
    while seen < 60:
        position = random_position(rng)._replace(rules=DEFAULT)
        if position.roll is None:
            continue
        seen += 1
        answer = whole_game.whole_game(position)
        legal = {
            Roll(as_dice(event.held)) if isinstance(event, Roll) else event
            for event in events(position)
        }
        # Choices omit strikes of categories that the dice satisfy, which never pay.
        listed = [choice.event for choice in answer.choices]
        assert len(listed) == len(set(listed))
        assert set(listed) <= legal
        struck = legal - set(listed)
        assert all(isinstance(event, Strike) for event in struck)
        for choice in answer.choices:
            assert whole_game.worth(position, choice.event) == choice.value
            assert choice.value <= answer.value + 1e-9
        for event in struck:
            assert whole_game.worth(position, event) < answer.value + 0.5
        assert answer.best is not None
        assert answer.choices[answer.best].value == answer.value


def test_roll_has_the_mean_value_of_its_outcomes() -> None:
    position = Position(DEFAULT, EMPTY, (2, 3, 3, 5, 5, 6), 1)
    event, total = Roll((3, 3, 5, 5)), 0.0
    for first in FACES:
        for second in FACES:
            turn = Roll(event.held, (first, second)).play(position).turn
            total += whole_game.worth_after(position, turn)
    assert total / 36 == pytest.approx(whole_game.worth(position, event), abs=1e-9)


# Questions ----------------------------------------------------------------------------------------


def test_house_rules_have_no_value_table() -> None:
    assert has_values(DEFAULT)
    assert has_values(DEFAULT.house({"upper_bonus": 50}))
    house = Position(DEFAULT.house({"upper_bonus": 35}))
    with pytest.raises(NoOdds) as caught:
        GAME.question_at(house, aim=Aim.GAME)
    assert [(finding.code, finding.rule, finding.pointer) for finding in caught.value.findings] == [
        ("no-table", "O15", "/options")
    ]
    assert GAME.question_at(house, aim=Aim.CATEGORY).aim is Aim.CATEGORY


def test_perfect_bot_without_a_value_table_plays_best() -> None:
    document: dict[str, Any] = {"ruleset": "yatzee-six", "options": {}, "players": ["Ada"]}
    assert GAME.bot_level(document, Level.PERFECT) is Level.PERFECT
    house = {**document, "options": {"upper_bonus": 35}}
    assert GAME.bot_level(house, Level.PERFECT) is Level.BEST
    assert GAME.bot_level(house, Level.BOLD) is Level.BOLD
    rng = Random(8)
    for _ in range(20):
        position = random_position(rng)
        question = Question(position)
        expected = advise(question, Level.BEST)
        if has_values(position.rules):
            expected = whole_game.whole_game(position).event
        assert advise(question, Level.PERFECT) == expected


def test_luck_and_play_sum_to_the_total_less_the_empty_card() -> None:
    log = list(bot_game(Random(5), 2, Level.BOLD))
    document = {"players": ["Ada", "Ben"], "log": log, "aim": "game"}
    answer = review(YATZEE, document)
    assert answer["legal"]
    state = GAME.new_state(document)
    for event in log:
        state = GAME.advance(state, event).state
    for sums, total in zip(answer["players"], state.scores, strict=True):
        expected = total - whole_game.value(Position(DEFAULT))
        assert sums["luck"] + sums["play"] == pytest.approx(expected, abs=1e-6)
        assert sums["play"] < -10
    assert answer["rules"] == list(odds.AIM_RULES[Aim.GAME])


def test_review_of_perfect_play_has_no_losses() -> None:
    log = list(bot_game(Random(6), 1, Level.PERFECT))
    answer = review(YATZEE, {"players": ["Ada"], "log": log, "aim": "game"})
    assert answer["players"][0]["play"] == pytest.approx(0, abs=1e-6)
    assert all(decision["advice"] == decision["event"] for decision in answer["decisions"])


def bot_game(rng: Random, players: int, level: Level) -> Iterator[dict[str, Any]]:
    """Plays a game of bots of this level and yields its events."""
    state = GAME.new_state({"players": ["x"] * players})
    while GAME.player_of(state) is not None:
        assert isinstance(state.turn, Position)
        event = GAME.event_document(advise(Question(state.turn), level))
        if event["type"] == "roll":
            event["dice"] = rng.choices(FACES, k=6 - len(event["held"]))
        yield event
        state = GAME.advance(state, event).state


# Whole games --------------------------------------------------------------------------------------


def total_of_a_game(rng: Random) -> int:
    *_, last = moves(rng, lambda position: whole_game.whole_game(position).event)
    assert isinstance(last.turn, Over)
    return totals(DEFAULT, last.turn.scorecard).total


@pytest.mark.long
@pytest.mark.simulated
def test_mean_of_20_000_perfect_games_equals_the_table() -> None:
    rng = Random(354)
    sums = [total_of_a_game(rng) for _ in range(20_000)]
    error = stdev(sums) / len(sums) ** 0.5
    assert abs(mean(sums) - OPTIMUM) < 3 * error


@pytest.mark.long
@pytest.mark.simulated
def test_perfect_loses_at_most_a_hundredth_point_a_game() -> None:
    """Judges each decision of 3,000 games by the exact table of the builder."""
    mean_loss = mean(losses(3_000, Random(17)))
    assert 0 <= mean_loss <= 0.01


def losses(games: int, rng: Random) -> Iterator[float]:
    """Yields the points that perfect loses in each game."""
    exact = ExactValues(solve(sheet_game(DEFAULT)))
    for _ in range(games):
        state, lost = GAME.new_state({"players": ["x"]}), 0.0
        while GAME.player_of(state) is not None:
            position = state.turn
            assert isinstance(position, Position)
            event = advise(Question(position), Level.PERFECT)
            if position.roll is None:
                event = Roll()
            else:
                lost += exact.loss(position, event)
            if isinstance(event, Roll):
                dice = tuple(rng.choices(FACES, k=6 - len(event.held)))
                event = Roll(event.held, dice)
            state = state.after(event.play(position))
        yield lost
