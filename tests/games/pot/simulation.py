"""Games of two bots of POT: ``perfect`` against a rival (O18)."""

from collections.abc import Callable

from dice_referee.games.pot.events import Event
from dice_referee.games.pot.game import GAME
from dice_referee.games.pot.position import Over
from dice_referee.games.pot.values.bots import advise
from dice_referee.games.pot.values.odds import Question
from dice_referee.rulebook.bots import Level
from tests.games.simulation import FairDice

Rival = Callable[[Question], Event]


def best_odds(question: Question) -> Event:
    """Chooses by the odds of the turn alone (O13), as ``best`` did up to release 0.10.0."""
    return question.advice()


def perfect_wins(rival: Rival, games: int, seed: int) -> int:
    """Counts the games that ``perfect`` wins against a rival. Both begin equally often."""
    dice, won = FairDice(seed), 0
    for game in range(games):
        table, hidden = GAME.new_table({"players": ["a", "b"]}), None
        while not isinstance(table.turn, Over):
            question = Question(table.turn)
            perfect = table.turn.player == game % 2
            chosen = advise(question, Level.PERFECT) if perfect else rival(question)
            event = GAME.event_document(chosen)
            if event["type"] in GAME.chance_events:
                event, hidden = GAME.deal(table, event, hidden, dice)
            table = GAME.advance(table, event).table
        won += table.turn.winner == game % 2
    return won
