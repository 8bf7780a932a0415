"""Games of bots against each other: they end, and the best wins more than chance explains."""

from collections import Counter
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest

from service.games import catalogue
from service.games.base import Game
from service.rules.bots import Level

GAMES = {"pot": 500, "yatzee": 800}
"""How many games of three bots are played: about 10 s of one core each."""


class FairDice:
    """Dice of a random source (``service.rules.chance.Chance``)."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        return tuple(self._rng.randint(1, faces) for _ in range(number))

    def shuffle(self, number: int) -> tuple[int, ...]:
        return tuple(self._rng.sample(range(number), number))


def played(game: Game, seats: list[Level], dice: FairDice) -> list[Level]:
    """Who wins a game of these bots; every event is legal, and no game takes 3000."""
    table, hidden = game.new_table({"players": [level.value for level in seats]}), None
    for _ in range(3000):
        question = game.odds.asked(table.turn, game.odds.known(hidden))
        event = game.answers.event_document(game.bots.advise(question, seats[table.player]))
        assert game.objections(table, event, "") == ()
        if event["type"] in game.chance_events:
            event, hidden = game.deal(table, event, hidden, dice)
        table = game.advance(table, event).table
        if table.over:
            return [seats[player] for player in table.winners]
    raise AssertionError("a game that does not end")


@pytest.mark.parametrize("name", GAMES)
def test_the_best_wins_more_games_than_chance_explains(name: str) -> None:
    game, number, dice = catalogue()[name], GAMES[name], FairDice(3)
    game.prepare_published_odds()
    wins: Counter[Level] = Counter()
    for index in range(number):
        # Each level sits as often in each seat.
        seats = [game.bots.LEVELS[(index + seat) % 3] for seat in range(3)]
        wins.update(played(game, seats, dice))
    best = wins[Level.BEST] / number
    assert best - 1 / 3 > 4 * sqrt(1 / 3 * 2 / 3 / number), wins
    others = max(wins[Level.CAREFUL], wins[Level.BOLD])
    assert wins[Level.BEST] - others > 4 * sqrt(wins[Level.BEST] + others), wins


@pytest.mark.parametrize("name", GAMES)
def test_levels_differ(name: str) -> None:
    """From the same dice each pair of levels comes to other games."""
    game = catalogue()[name]
    runs = [[played_events(game, level, seed) for seed in range(5)] for level in game.bots.LEVELS]
    assert all(one != other for one, other in pairwise([*runs, runs[0]]))


def played_events(game: Game, level: Level, seed: int) -> list[Any]:
    """What a table of two bots of this level does first."""
    table, hidden, dice = game.new_table({"players": ["a", "b"]}), None, FairDice(seed)
    found = []
    for _ in range(12):
        question = game.odds.asked(table.turn, game.odds.known(hidden))
        event = game.answers.event_document(game.bots.advise(question, level))
        if event["type"] in game.chance_events:
            event, hidden = game.deal(table, event, hidden, dice)
        found.append(event)
        table = game.advance(table, event).table
    return found
