"""Solves the sheet of Yatzee and writes the solution into the package, compressed (O15).

python -m tests.tools.tables.yatzee

The values, open lower categories by upper states, are nearly the product of two narrow matrices:
their best approximation of this rank is stored, with its errors in the file's head.
"""

import json
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dice_referee.games.yatzee import scoring
from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.games.yatzee.rulesets import YATZEE_SIX, Ruleset
from dice_referee.games.yatzee.values.sheet import COMPUTED, HEAD_BYTES, PATH
from tests.tools.tables.sheet_game import SheetGame, Solution, solve, upper_state

RANK = 32
"""Columns of each matrix."""


def sheet_game(rules: Ruleset) -> SheetGame:
    """Returns the game of these rules."""

    def points_of(place: int) -> Any:
        def points(roll: tuple[int, ...]) -> int | None:
            score = scoring.scores(roll, rules.distinct_faces)[place]
            return score.face_value if score.dice else None

        return points

    lower = [points_of(place) for place, one in enumerate(CATEGORIES) if not one.is_upper]
    return SheetGame(
        scoring.SIX, lower, rules.throw_bonus, rules.upper_threshold, rules.upper_bonus
    )


def compressed_file(rules: Ruleset, solution: Solution) -> bytes:
    """Returns the file: a line of JSON, the row of each upper state, and both matrices."""
    values = solution.values
    _, vectors = np.linalg.eigh(values.T @ values)
    wide = np.ascontiguousarray(vectors[:, -RANK:])
    lower, upper = (values @ wide).astype("<f4"), wide.astype("<f4")
    head = {
        "ruleset": rules.id,
        "ruleset_hash": rules.hash,
        "empty_card": round(solution.empty_card, 7),
        "states": values.size,
        "errors": [
            *errors_by_open_categories(solution, lower.astype(float) @ upper.astype(float).T)
        ],
        "lower": len(lower),
        "upper": len(upper),
        "rank": RANK,
    }
    game = sheet_game(rules)
    place = {state: index for index, state in enumerate(solution.upper)}
    sums = range(rules.upper_threshold + 1)
    # A sum that play cannot reach has no row.
    states = [[upper_state(game, faces, sum_) for sum_ in sums] for faces in range(64)]
    places = np.array([[place.get(state, 0) for state in block] for block in states], "<u2")
    line = json.dumps(head, separators=(",", ":")).encode().ljust(HEAD_BYTES - 1) + b"\n"
    content: bytes = line + places.tobytes() + lower.tobytes() + upper.tobytes()
    return content


def errors_by_open_categories(
    solution: Solution, values: np.ndarray[Any, Any]
) -> Iterator[tuple[float, float]]:
    """Yields the largest error, rounded up, and the root mean square, by open categories.

    Begins with the fewest open categories that are looked up, and ends before the empty sheet.
    """
    lower = [row.bit_count() for row in range(len(values))]
    upper = [state.open.bit_count() for state in solution.upper]
    is_open, errors = np.add.outer(lower, upper), np.abs(values - solution.values)
    for number in range(COMPUTED, is_open.max()):
        selected = errors[is_open == number]
        yield (
            round(selected.max() + 5e-5, 4),
            round((selected @ selected / selected.size) ** 0.5, 4),
        )


def main() -> None:
    """Writes the file and prints its properties."""
    started = time.process_time()
    content = compressed_file(YATZEE_SIX, solve(sheet_game(YATZEE_SIX)))
    Path(PATH).write_bytes(content)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(content[:HEAD_BYTES].decode().strip())
    print(f"{len(content)} bytes, {time.process_time() - started:.0f} s, {memory:.0f} MB")


if __name__ == "__main__":
    main()
