"""The builder of win probabilities against recursion, and the shipped files against the builder."""

from dataclasses import replace

import numpy as np
import pytest

from dice_referee.games.tutto.rulesets import RULESETS
from tests.games.tutto.plain_duel import DuelTurn, last_turn, written_by
from tests.tools.tables.tutto import LOWEST, PLACE, QUANTUM, file_of, game_of, solve_duel


@pytest.mark.long
@pytest.mark.parametrize("name", RULESETS)
def test_solution_of_a_small_game_equals_plain_recursion(name: str) -> None:
    """Targets 300 points from -500 up, so that plain turns have a single fixed point."""
    small, lowest = replace(RULESETS[name], target=300), -500
    solution = solve_duel(game_of(small)._replace(lowest=lowest // 50), 1e-12)
    seats = (solution.first, solution.second)

    def last(behind: int) -> float:
        return float(solution.last[min(behind // 50, len(solution.last) - 1)])

    for seat in (0, 1) if len(solution.last) else (0,):

        def theirs(own: int, opponent: int, seat: int = seat) -> float:
            row, column = (max(score - lowest, 0) // 50 for score in (own, opponent))
            return float(seats[1 - seat][row, column])

        written, more = written_by(small, seat, theirs, last)
        for own in range(lowest, 300, 150):
            for opponent in range(lowest, 300, 100):
                furthest = opponent + 50 * (len(solution.last) - 1)
                steady = max(300, furthest) - own if more else 300 - own
                plain = DuelTurn(small, own, opponent, written, steady).value()
                row, column = (own - lowest) // 50, (opponent - lowest) // 50
                assert seats[seat][row, column] == pytest.approx(plain, abs=1e-9)


@pytest.mark.long
def test_solution_of_last_turns_equals_plain_recursion() -> None:
    rules = RULESETS["braillespiel"]
    small = game_of(replace(rules, target=50))._replace(lowest=0)
    chances = solve_duel(small).last
    for behind in (50, 1000, 1050, 2500):
        assert chances[behind // 50] == pytest.approx(last_turn(rules, behind), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "chance"), [("abacus-2013", 0.5668081), ("braillespiel", 0.4689674)]
)
def test_first_player_of_a_game_to_1000_has_the_known_chance(ruleset: str, chance: float) -> None:
    rules = replace(RULESETS[ruleset], target=1000)
    solution = solve_duel(game_of(rules)._replace(lowest=-20), 1e-9)
    assert solution.first[20, 20] == pytest.approx(chance, abs=1e-7)


@pytest.mark.long
@pytest.mark.simulated
@pytest.mark.parametrize("ruleset", RULESETS)
def test_shipped_files_equal_the_output_of_the_builder(ruleset: str) -> None:
    """Allows a difference of 1, since sums of floats differ between machines."""
    head, _, numbers = (PLACE / f"{ruleset}.bin").read_bytes().partition(b"\n")
    _, _, expected = file_of(solve_duel(game_of(RULESETS[ruleset]))).partition(b"\n")
    shipped_chances, built_chances = (
        np.frombuffer(part, "<u2").astype(int) for part in (numbers, expected)
    )
    assert np.abs(shipped_chances - built_chances).max() <= 1
    assert b'"lowest": %d' % LOWEST in head
    assert QUANTUM == 65535
