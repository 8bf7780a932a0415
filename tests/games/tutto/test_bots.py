"""The bots of Tutto, and the results of their turns and games against computed values."""

from collections import Counter
from functools import partial
from random import Random

import pytest

from dice_referee.games.tutto.cards import CARDS
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.position import Position
from dice_referee.games.tutto.rulesets import ABACUS_2013, RULESETS, Ruleset
from dice_referee.games.tutto.values.bots import advise
from dice_referee.games.tutto.values.odds import Question
from dice_referee.rulebook.bots import Level
from tests.games.simulation import errors_ahead
from tests.games.tutto.simulation import Bot, Policy, standard_errors, turns_written, winners
from tests.games.tutto.test_odds import questions_with_dice


@pytest.mark.parametrize("level", Level)
def test_bots_choose_legal_events(level: Level) -> None:
    for question in questions_with_dice(8, 500):
        event = advise(question, level)
        assert not list(event.objections(question.position, ""))
    position = Position(ABACUS_2013)
    assert advise(Question(position), level) == Draw()
    assert advise(Question(position._replace(card=CARDS["straight"])), level) == Roll()


@pytest.mark.parametrize(
    ("level", "carried", "event"),
    [
        (Level.CAREFUL, 200, Bank()),
        (Level.CAREFUL, 150, SetAside((1,))),
        (Level.BOLD, 900, Bank()),
        (Level.BOLD, 850, SetAside((1,))),
    ],
)
def test_bots_without_odds_stop_at_their_threshold(
    level: Level, carried: int, event: Event
) -> None:
    position = Position(ABACUS_2013, CARDS["double"], roll=(1, 2, 3, 4, 6, 6), carried=carried)
    assert advise(Question(position), level) == event


@pytest.mark.parametrize(
    ("seed", "rules", "reach"),
    [
        (0, ABACUS_2013, None),
        *(
            pytest.param(seed, rules, None, marks=pytest.mark.long)
            for seed, rules in enumerate(RULESETS.values())
            if rules is not ABACUS_2013
        ),
        pytest.param(9, ABACUS_2013, 1000, marks=pytest.mark.long),
    ],
)
def test_mean_points_of_turns_equal_their_value(
    seed: int, rules: Ruleset, reach: int | None
) -> None:
    """Plays 50,000 turns each. ``make simulation`` plays a million of each ruleset."""
    assert abs(standard_errors(seed, rules, reach, 50_000)) < 4


def fixed_policy(question: Question, stops_at: int, most: bool) -> Event:
    """Stops from ``stops_at`` points on. Otherwise keeps the most dice or the fewest."""
    position = question.position
    roll_result = position.roll_result
    keep = max(
        roll_result.can.keeps,
        key=lambda keep: (len(keep.dice) if most else -len(keep.dice), keep.points),
    )
    assert roll_result.can.most is not None
    if (
        roll_result.banks
        and position.keep_result(roll_result.can.most, stop=True).turn_points >= stops_at
    ):
        return Bank()
    return SetAside(keep.dice)


@pytest.mark.long
@pytest.mark.parametrize("most", [True, False])
@pytest.mark.parametrize("stops_at", [50, 200, 350, 500, 1000])
def test_fixed_policies_never_beat_the_best_choices(stops_at: int, most: bool) -> None:
    policy: Policy = partial(fixed_policy, stops_at=stops_at, most=most)
    mean = turns_written(Random(0), Bot(policy), ABACUS_2013, 10_000)
    assert mean.value < Question(Position(ABACUS_2013)).value() + 4 * mean.error


@pytest.mark.long
def test_best_bot_wins_most_games_of_three() -> None:
    """Expects a lead of more than four standard errors over 1,000 games of three.

    ``make simulation`` plays more games, with the public pile.
    """
    rng, levels, won = Random(0), list(Level), Counter[Level]()
    bots = {level: Bot(partial(advise, level=level)) for level in levels}
    for number in range(1_000):
        first = number % len(levels)
        seats = levels[first:] + levels[:first]
        won.update(seats[i] for i in winners(rng, [bots[seat] for seat in seats], ABACUS_2013))
    for level in (Level.CAREFUL, Level.BOLD):
        assert errors_ahead(won, level) > 4
