"""Games of bots against each other, and the report of ``make simulation``.

For each ruleset of Tutto, ``make simulation`` plays a million turns by the best choices and
compares the mean of the points written with the value of a turn. In every game, it then plays 2,000
games of ``best`` against each of the other levels, the seats swapped after each game, which takes
some minutes. Figures beyond chance are a failure. ``--quick`` plays too few games to judge.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.tutto.rulesets import RULESETS
from dice_referee.rulebook.bots import Level
from tests.games.tutto.simulation import standard_errors

TURNS, GAMES = 1_000_000, 2_000
QUICK = (1000, 2)


class FairDice:
    """Dice of a random source (``dice_referee.rulebook.chance.Chance``)."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        return tuple(self._rng.randint(1, faces) for _ in range(number))

    def shuffle(self, number: int) -> tuple[int, ...]:
        return tuple(self._rng.sample(range(number), number))


def play_game(game: AnyGame, seats: list[Level], dice: FairDice) -> list[Level]:
    """Plays a game of these bots and returns its winners. Expects at most 3,000 legal events."""
    state, hidden = game.new_state({"players": [level.value for level in seats]}), None
    for _ in range(3000):
        question = game.question_at(state.turn, game.public_of(hidden))
        event = game.event_document(game.advise(question, seats[state.player or 0]))
        assert game.objections(state, event, "") == ()
        if event["type"] in game.chance_events:
            event, hidden = game.deal(state, event, hidden, dice)
        state = game.advance(state, event).state
        if game.player_of(state) is None:
            return [seats[player] for player in state.winners]
    raise AssertionError("a game that does not end")


def wins(game: AnyGame, levels: list[Level], number: int, seed: int) -> Counter[Level]:
    """Counts the wins of each level. The levels change seats after each game."""
    dice, won = FairDice(seed), Counter[Level]()
    for index in range(number):
        first = index % len(levels)
        won.update(play_game(game, levels[first:] + levels[:first], dice))
    return won


def errors_ahead(won: Counter[Level], rival: Level) -> float:
    """Returns the lead of ``best`` over another level, in standard errors."""
    return (won[Level.BEST] - won[rival]) / sqrt(won[Level.BEST] + won[rival])


def lines(turns: int, games: int) -> Iterator[tuple[str, bool]]:
    """Yields each printed line, and tells if its figures are within the range of chance."""
    for seed, (name, rules) in enumerate(RULESETS.items()):
        errors = standard_errors(seed, rules, None, turns)
        yield f"{name}: {turns:,} turns, {errors:+.2f} standard errors", abs(errors) < 4
    for name, game in catalogue().items():
        for rival in (Level.CAREFUL, Level.BOLD):
            won = wins(game, [Level.BEST, rival], games, 0)
            ahead = errors_ahead(won, rival)
            score = f"{won[Level.BEST]}:{won[rival]}, {ahead:+.1f} standard errors"
            yield f"{name}: {games:,} games of best against {rival}, {score}", ahead > 3


def main(arguments: Sequence[str]) -> int:
    """Prints the lines and returns 1 if any figure exceeds the range of chance."""
    quick, results = "--quick" in arguments, []
    for line, right in lines(*(QUICK if quick else (TURNS, GAMES))):
        print(line, flush=True)
        results.append(right or quick)
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
