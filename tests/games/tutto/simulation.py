"""Turns and games of Tutto, played by bots with seeded dice, each card drawn from all 56."""

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import NamedTuple

from dice_referee.games.tutto.cards import PILE, Card
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll
from dice_referee.games.tutto.position import Over, Phase, Position, Turn
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.state import GameState
from dice_referee.games.tutto.values.odds import Question
from dice_referee.rulebook.dice import Dice, as_dice

FACES = range(1, 7)


Policy = Callable[[Question], Event]
"""Choice of a player in each position."""


def best(question: Question) -> Event:
    """Returns the choice of the highest value for the question's own aim."""
    return question.advice()


class Bot:
    """A player with this policy, who caches the following turns."""

    def __init__(self, policy: Policy, reach: int | None = None) -> None:
        self.policy, self.reach = policy, reach
        self._known = dict[tuple[Position, Dice | Card], Turn]()

    def after(self, position: Position, brought: Dice | Card) -> Turn:
        """Returns the turn after these dice or this card and the choice that follows."""
        turn = self._known.get((position, brought))
        if turn is None:
            event = Draw(brought) if isinstance(brought, Card) else Roll(brought)
            turn = event.play(position).turn
            if isinstance(turn, Position) and turn.phase is Phase.KEEP:
                turn = self.policy(Question(turn, self.reach)).play(turn).turn
            if position.scores is None:
                self._known[position, brought] = turn
        return turn

    def play(self, rng: Random, turn: Turn) -> Over:
        """Plays a turn to its end, drawing every card from a complete pile."""
        while isinstance(turn, Position):
            if turn.card is None:
                turn = self.after(turn, rng.choice(PILE))
            else:
                turn = self.after(turn, as_dice(rng.choices(FACES, k=turn.dice_to_roll)))
        return turn


class Mean(NamedTuple):
    """Measured mean, and its standard error."""

    value: float
    error: float


def turns_written(rng: Random, bot: Bot, rules: Ruleset, number: int) -> Mean:
    """Returns the mean points of this many turns, a completed clover included (O5, O6)."""
    start, total, squares = Position(rules), 0.0, 0.0
    question = Question(start, bot.reach)
    for _ in range(number):
        worth = question.worth_after(Bank(), bot.play(rng, start))
        total += worth
        squares += worth * worth
    mean = total / number
    return Mean(mean, sqrt((squares / number - mean * mean) / number))


def standard_errors(seed: int, rules: Ruleset, reach: int | None, number: int) -> float:
    """Returns the distance of the mean from the value of a turn, in standard errors."""
    mean = turns_written(Random(seed), Bot(best, reach), rules, number)
    return (mean.value - Question(Position(rules), reach).value()) / mean.error


def winners(rng: Random, bots: list[Bot], rules: Ruleset) -> tuple[int, ...]:
    """Plays a game of these bots and returns its winners by their places."""
    state = GameState.new(rules, len(bots))
    while not state.winners:
        state = state.after_turn(bots[state.player].play(rng, state.turn))
    return state.winners
