"""Games of bots against each other end, and the best wins more than chance explains."""

from itertools import pairwise
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.bots import Level
from tests.games.simulation import FairDice, errors_ahead, wins

GAMES = {"pot": 400, "yatzee": 150}
"""Number of games of two bots. Tutto has its own test."""

TWO = {"players": ["a", "b"]}


@pytest.mark.long
@pytest.mark.parametrize("rival", [Level.CAREFUL, Level.BOLD])
@pytest.mark.parametrize("name", GAMES)
def test_best_wins_more_games_than_chance_explains(name: str, rival: Level) -> None:
    """Expects a lead of over four standard errors. ``make simulation`` plays more games."""
    won = wins(catalogue()[name], [Level.BEST, rival], GAMES[name], 3)
    assert errors_ahead(won, rival) > 4, won


@pytest.mark.parametrize("name", catalogue())
def test_levels_play_differently(name: str) -> None:
    """Expects different events of any two levels with the same dice."""
    game = catalogue()[name]
    levels = [level for level in Level if game.bot_level(TWO, level) is level]
    runs = [[played_events(game, level, seed) for seed in range(5)] for level in levels]
    assert all(first != second for first, second in pairwise([*runs, runs[0]]))


def played_events(game: AnyGame, level: Level, seed: int) -> list[Any]:
    """Returns the first events of a table of two bots of this level."""
    state, hidden, dice = game.new_state(TWO), None, FairDice(seed)
    events = []
    for _ in range(12):
        question = game.question_at(state.turn, game.public_of(hidden))
        event = game.event_document(game.advise(question, level))
        if event["type"] in game.chance_events:
            event, hidden = game.deal(state, event, hidden, dice)
        events.append(event)
        state = game.advance(state, event).state
    return events
