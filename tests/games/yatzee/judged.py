"""Losses of bots over whole games (O15).

python -m tests.games.yatzee.judged [name ...]

writes ``judged.json`` for the guide. The number of a game is its seed, so every game can be
replayed. The mean loss of a game is the optimum less the bot's mean total. Losses vary far less
than totals.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from dice_referee.games.yatzee.events import Event, Roll
from dice_referee.games.yatzee.position import Position, Turn
from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import EMPTY
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.bots import advise
from dice_referee.games.yatzee.values.odds import Question
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.dice import FACES

PATH = Path(__file__).with_name("judged.json")
GAMES = 400
KEPT = 5
"""Number of games whose losses the file lists."""

Player = Callable[[Position], Event]


def bot(level: Level) -> Player:
    return lambda position: advise(Question(position), level)


BOTS: Mapping[str, Player] = {
    level.value: bot(level) for level in (Level.BEST, Level.BOLD, Level.CAREFUL)
}


class Move(NamedTuple):
    """A decision of a player in a position, and the turn after the dice have fallen."""

    position: Position
    event: Event
    turn: Turn


def moves(rng: Random, player: Player) -> Iterator[Move]:
    """Yields the moves of a whole sheet."""
    scorecard = EMPTY
    while None in scorecard:
        turn: Turn = Position(YATZEE_SIX, scorecard)
        while isinstance(turn, Position):
            position, event = turn, player(turn)
            rolled = event
            if isinstance(event, Roll):
                rolled = Roll(event.held, tuple(rng.choices(FACES, k=SIX - len(event.held))))
            turn = rolled.play(position).turn
            yield Move(position, event, turn)
        scorecard = turn.scorecard


def losses(seed: int, player: Player) -> list[float]:
    """Returns the losses of a game in points, by the roll before the decision."""
    lost = [0.0, 0.0, 0.0]
    for position, event, _ in moves(Random(seed), player):
        if position.rolls_made:
            lost[position.rolls_made - 1] += loss(position, event)
    return lost


def loss(position: Position, event: Event) -> float:
    """Returns the loss of a choice in points."""
    return whole_game.value(position) - whole_game.worth(position, event)


def judged(name: str) -> dict[str, Any]:
    """Returns the mean loss of a bot's games, and its standard error."""
    games = [losses(seed, BOTS[name]) for seed in range(GAMES)]
    sums = [*map(sum, games)]
    return {
        "lost": round(mean(sums), 3),
        "standard_error": round(stdev(sums) / GAMES**0.5, 3),
        "by_roll": [round(mean(part), 3) for part in zip(*games, strict=True)],
        "games": [round(total, 3) for total in sums[:KEPT]],
    }


def main(names: list[str]) -> None:
    """Plays the games of these bots, or of all, and writes their losses."""
    for name in names or BOTS:
        summary = judged(name)
        summaries = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {}
        summaries[name] = summary
        ordered = {player: summaries[player] for player in BOTS if player in summaries}
        PATH.write_text(json.dumps(ordered, indent=2) + "\n", "utf-8")
        print(name, summary["lost"], summary["standard_error"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
