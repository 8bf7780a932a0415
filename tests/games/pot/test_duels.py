"""The win probability in a game of two, against the steps of the game and the table's equations."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Roll
from dice_referee.games.pot.game import GAME
from dice_referee.games.pot.position import Over, Position
from dice_referee.games.pot.rulesets import POT_2020, RULESETS
from dice_referee.games.pot.scoring import MOST_POINTS, SET
from dice_referee.games.pot.values import duels
from dice_referee.games.pot.values.bots import advise
from dice_referee.games.pot.values.odds import Aim, Question
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.errors import NoOdds, Unanswerable
from tests.application import answered
from tests.games.pot.chain import perfect_wins
from tests.games.simulation import FairDice
from tests.tools.tables.pot import COINS, QUANTUM, solve

TOTAL = POT_2020.total_coins
WITHIN = 1.6e-5
"""Half a step of the file for the start of the turn, and half a step for the turns after it."""
START: dict[str, Any] = {"aim": "win", "coins": [3, 3], "pot": 1, "bank": 48, "player": 0}


def start_of_turn(own: int, other: int, pot: int, to_beat: int | None, player: int = 0) -> Position:
    """Returns the start of a turn, with the rest of the coins in the bank."""
    players = (own, other) if player == 0 else (other, own)
    holder = None if to_beat is None else 1 - player
    coins = Coins(players, pot, TOTAL - own - other - pot)
    return Position(POT_2020, coins, player, holder=holder, to_beat=to_beat)


def random_start(rng: Random) -> Position:
    own, other, pot, _ = rng.choice(DIVISIONS)
    return start_of_turn(own, other, pot, rng.choice((None, *range(1, MOST_POINTS + 1))))


DIVISIONS = [
    (own, other, pot, TOTAL - own - other - pot)
    for own, other, pot in product(range(TOTAL + 1), repeat=3)
    if own + other + pot <= TOTAL
]


def stored(position: Position) -> float:
    """Returns the chance of the file for the player to move."""
    file, coins, player = duels.win_chances("pot-2020"), position.coins, position.player
    row = file.rows[position.to_beat or 0]
    return row[file.starts[coins.players[1 - player], coins.pot] + coins.players[player]] / 65535


@pytest.mark.long
def test_stored_chances_equal_the_values_of_their_turns() -> None:
    rng = Random(61)
    for _ in range(500):
        position = random_start(rng)
        assert duels.value(position) == pytest.approx(stored(position), abs=WITHIN), position


@pytest.mark.parametrize("seed", range(3))
def test_value_of_a_roll_is_the_mean_of_its_positions(seed: int) -> None:
    """Expects the best of the odds of every position that the game reaches by a roll."""
    rng = Random(seed)
    position = random_start(rng)
    while position.roll is None or position.next_roll is None:
        step = Roll(tuple(rng.choices((1, 2, 3, 4, 5), k=3))).play(position)
        position = step.turn if isinstance(step.turn, Position) else random_start(rng)
    for roll in (position._replace(roll=None, rolls_made=None), position):
        values = [
            duels.worth_after(Roll(dice).play(roll).turn, roll.player) for dice in product(*SET)
        ]
        mean = sum(values) / len(values)
        assert duels.worth(roll, Roll()) == pytest.approx(mean, abs=WITHIN)


def test_first_player_wins_the_published_share_of_games() -> None:
    answer = answered("pot", "odds", START)
    assert answer["value"] == pytest.approx(0.51942, abs=1e-5)
    assert answer["choices"][0]["win"] == answer["value"]
    assert (answer["aim"], answer["best"]) == ("win", 0)
    assert 0 < answer["accuracy"] < 1e-5
    assert "O18" in answer["rules"]
    assert answered("pot", "odds", {**START, "aim": "points"})["accuracy"] is None


def test_three_twos_are_accepted_from_the_other_player() -> None:
    answer = answered("pot", "odds", {**START, "roll": [2, 2, 2], "rolls_made": 2})
    assert answer["choices"][answer["best"]]["event"] == {"type": "accept", "players": [1]}
    points = answered("pot", "odds", {**START, "aim": "points", "roll": [2, 2, 2], "rolls_made": 2})
    assert points["choices"][points["best"]]["event"]["type"] == "roll"


@pytest.mark.parametrize(
    ("sums", "chance"), [((), 0.5), ((0,), 215.5 / 216), ((15,), 0.5 / 216), ((14,), 2.5 / 216)]
)
def test_sudden_death_has_the_chance_of_its_sums(sums: tuple[int, ...], chance: float) -> None:
    """Expects ties to count one half. Three dice show 15 once in 216 rolls, 14 three times."""
    tied = Position(POT_2020, Coins((25, 25), 0, 5), len(sums), tied=(0, 1), sums=sums)
    assert duels.value(tied) == pytest.approx(chance)


def test_both_seats_have_the_same_chance() -> None:
    rng = Random(1)
    for _ in range(5):
        first = random_start(rng)
        own, other = first.coins.players
        second = start_of_turn(own, other, first.coins.pot, first.to_beat, player=1)
        assert duels.value(second) == pytest.approx(duels.value(first), abs=1e-12)


# Questions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "code", "pointer"),
    [
        ({"coins": [3, 3, 3], "bank": 45}, "two-players-only", "/coins"),
        ({"options": {"target": 23}}, "no-table", "/options"),
    ],
)
def test_aim_without_an_answer_has_a_finding(more: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(NoOdds) as problem:
        GAME.question_of({**START, **more})
    found = [(finding.code, finding.rule, finding.pointer) for finding in problem.value.findings]
    assert found == [(code, "O18", pointer)]


def test_review_of_three_players_names_the_players() -> None:
    position = Position(POT_2020, Coins((3, 3, 3), 1, 45), 0)
    with pytest.raises(Unanswerable) as problem:
        GAME.question_at(position, aim=Aim.WIN)
    assert [finding.pointer for finding in problem.value.findings] == ["/players"]


def test_ended_dice_have_no_chance_of_winning() -> None:
    with pytest.raises(Unanswerable) as problem:
        GAME.question_of({**START, "roll": [1, 1, 1], "rolls_made": 1})
    assert [finding.code for finding in problem.value.findings] == ["turn-over"]


def test_options_at_published_values_keep_the_chances() -> None:
    answer = answered("pot", "odds", {**START, "options": {"target": 24}})
    assert answer["value"] == answered("pot", "odds", START)["value"]


def test_published_ruleset_names_the_aim_for_two() -> None:
    assert GAME.solved_aims(RULESETS["pot-2020"]) == (("win", 2),)
    assert GAME.solved_aims(RULESETS["pot-2020"].house({"target": 23})) == ()


@pytest.mark.parametrize(("count", "level"), [(2, Level.PERFECT), (3, Level.BEST)])
def test_perfect_level_is_known_for_two(count: int, level: Level) -> None:
    assert GAME.bot_level({"players": ["a"] * count}, Level.PERFECT) is level


def test_perfect_bot_wins_at_once_where_points_do_not() -> None:
    position = start_of_turn(23, 23, 1, None)._replace(roll=(2, 2, 2), rolls_made=2)
    question = Question(position)
    assert advise(question, Level.PERFECT) == Accept((1,))
    assert question.advice() != Accept((1,))


# Reviews ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_luck_and_play_sum_to_the_change_of_the_chance(seed: int) -> None:
    levels, dice = (Level.PERFECT, Level.CAREFUL), FairDice(seed)
    document: dict[str, Any] = {"players": ["Ada", "Ben"], "log": []}
    state, hidden = GAME.new_state(document), None
    while not isinstance(state.turn, Over):
        question = GAME.question_at(state.turn)
        event = GAME.event_document(GAME.advise(question, levels[state.turn.player]))
        if event["type"] in GAME.chance_events:
            event, hidden = GAME.deal(state, event, hidden, dice)
        document["log"].append(event)
        state = GAME.advance(state, event).state
    answer = answered("pot", "reviews", {**document, "aim": "win"})
    start = duels.value(start_of_turn(3, 3, 1, None))
    for sums, before in zip(answer["players"], (start, 1 - start), strict=True):
        won = sums["player"] == state.turn.winner
        assert sums["unit"] == "win-chance"
        assert sums["luck"] + sums["play"] == pytest.approx(won - before, abs=1e-9)
    perfect, careful = answer["players"]
    assert perfect["play"] == pytest.approx(0, abs=1e-8)
    assert careful["play"] < -0.05
    assert "O18" in answer["rules"]


# The builder --------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.simulated
def test_shipped_file_equals_the_output_of_the_builder() -> None:
    """Expects iterations from 0 and from 1 to meet, and perfect play to beat the odds of a turn."""
    lower, upper = solve(0.0), solve(1.0)
    assert np.abs(lower.chances - upper.chances).max() < 1e-12
    coins = np.indices(lower.chances.shape[:3]).sum(axis=0) <= COINS
    expected = lower.chances.transpose(3, 1, 2, 0)[:, coins]
    shipped = np.array(duels.win_chances("pot-2020").rows) / QUANTUM
    assert np.abs(shipped - expected).max() < 0.5 / QUANTUM + 1e-9
    begins, follows = perfect_wins(lower.chances)
    assert (begins + follows) / 2 == pytest.approx(0.661, abs=5e-4)
