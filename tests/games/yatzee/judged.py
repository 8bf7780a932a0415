"""Losses of bots and of players with a habit, over whole games (O15).

python -m tests.games.yatzee.judged [name ...]

writes ``judged.json`` for the guide. A player with a habit takes the best choice that the habit
allows. The number of a game is its seed, so every game can be replayed. The mean loss of a game is
the optimum less the player's mean total. Losses vary far less than totals.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from dice_referee.games.yatzee.categories import CATEGORIES, FACE_OF, Category
from dice_referee.games.yatzee.events import Event, Strike, Throw, Write
from dice_referee.games.yatzee.position import Position, Turn
from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import EMPTY
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.bots import advise
from dice_referee.games.yatzee.values.odds import Question
from dice_referee.games.yatzee.values.whole_game import Choice
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.dice import FACES

PATH = Path(__file__).with_name("judged.json")
BOT_GAMES, HABIT_GAMES = 400, 200
KEPT = 5
"""Number of games whose losses the file lists."""
COMMON = {Category.ONE_PAIR, Category.TWO_PAIRS, Category.THREE_OF_A_KIND, Category.CHANCE}
"""Lower categories that most turns satisfy. The others are rare."""
ENOUGH = 3
"""Dice of each upper category that reach the threshold."""

Player = Callable[[Position], Event]
Fills = list[Strike | Write]


@dataclass(frozen=True)
class Habit:
    """Narrows the choices of a player. An empty selection of fills allows all fills."""

    fills: Callable[[Position, Fills], Fills] = lambda _, fills: fills
    """Selects the fills allowed."""
    holds: Callable[[Position, Throw], bool] = lambda *_: True
    """Tells if a hold is allowed."""
    stops: Callable[[Position, Fills], bool] = lambda *_: False
    """Tells if the player must fill the card."""

    def __call__(self, position: Position) -> Event:
        """Returns the best choice that the habit allows."""
        choices = {choice.event: choice for choice in whole_game.choices(position)}
        if not choices:
            return Throw()
        fills: Fills = [event for event in choices if not isinstance(event, Throw)]
        allowed: list[Event] = [*(self.fills(position, fills) or fills)]
        if not self.stops(position, fills):
            throws = [throw for throw in choices if isinstance(throw, Throw)]
            allowed += [throw for throw in throws if self.holds(position, throw)]
        return max((choices[event] for event in allowed), key=_value).event


def _value(choice: Choice) -> float:
    return choice.value


# Habits -------------------------------------------------------------------------------------------


def in_section(upper: bool) -> Callable[[Position, Fills], Fills]:
    """Returns the habit of filling this section first."""
    return lambda _, fills: [fill for fill in fills if fill.category.is_upper is upper]


def card_order(position: Position, fills: Fills) -> Fills:
    return [min(fills, key=lambda fill: CATEGORIES.index(fill.category))]


def no_strikes(position: Position, fills: Fills) -> Fills:
    return [fill for fill in fills if isinstance(fill, Write)]


def most_points(position: Position, fills: Fills) -> Fills:
    points = {fill: position.points_in(fill.category) for fill in fills}
    return [fill for fill in fills if points[fill] == max(points.values())]


def enough_in_upper(position: Position, fills: Fills) -> Fills:
    def is_enough(fill: Strike | Write) -> bool:
        face = FACE_OF.get(fill.category)
        return face is None or (position.dice or ()).count(face) >= ENOUGH

    return [fill for fill in fills if is_enough(fill)]


def last(category: Category) -> Callable[[Position, Fills], Fills]:
    """Returns the habit of filling this category last."""
    return lambda _, fills: [fill for fill in fills if fill.category is not category]


def strikes_yatzee(position: Position, fills: Fills) -> Fills:
    if Strike(Category.YATZEE) not in fills:
        return fills
    return [fill for fill in fills if fill.category is Category.YATZEE or isinstance(fill, Write)]


def one_face(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    return len(set(throw.held)) == 1 and dice.count(throw.held[0]) == len(throw.held)


def largest_group(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    face = max(FACES, key=lambda pips: (dice.count(pips), pips))
    return tuple(throw.held) == (face,) * dice.count(face)


def whole_groups(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    return all(throw.held.count(face) == dice.count(face) for face in FACES if dice.count(face) > 1)


def rare(position: Position, fills: Fills) -> Fills:
    return [
        fill
        for fill in fills
        if isinstance(fill, Write) and not fill.category.is_upper and fill.category not in COMMON
    ]


def rare_lies(position: Position, fills: Fills) -> bool:
    return bool(rare(position, fills))


def bot(level: Level) -> Player:
    return lambda position: advise(Question(position), level)


HABITS: Mapping[str, tuple[str, Player]] = {
    "card-order": ("fills the categories in the order of the score sheet", Habit(card_order)),
    "upper-first": ("fills the upper section first", Habit(in_section(upper=True))),
    "lower-first": ("fills the lower section first", Habit(in_section(upper=False))),
    "most-points": ("fills the category with most points at once", Habit(most_points)),
    "no-strikes": ("crosses out nothing while a category scores", Habit(no_strikes)),
    "enough": (
        "fills an upper category with three dice or more, unless nothing else is open",
        Habit(enough_in_upper),
    ),
    "chance-last": ("keeps Chance for the end", Habit(last(Category.CHANCE))),
    "yatzee-last": ("keeps Yatzee for the end", Habit(last(Category.YATZEE))),
    "yatzee-struck": ("crosses out Yatzee before any other category", Habit(strikes_yatzee)),
    "one-face": ("holds all dice of one face and no others", Habit(holds=one_face)),
    "largest-group": ("holds the largest group and no other dice", Habit(holds=largest_group)),
    "whole-groups": ("never breaks up equal dice", Habit(holds=whole_groups)),
    "at-least-one": (
        "never rolls all six dice again",
        Habit(holds=lambda _, throw: bool(throw.held)),
    ),
    "at-least-two": ("holds two dice or more", Habit(holds=lambda _, throw: len(throw.held) > 1)),
    "at-once": ("scores in a rare category as soon as the dice fit", Habit(rare, stops=rare_lies)),
}
"""Players with a habit, each with its description."""
BOTS: Mapping[str, Player] = {
    level.value: bot(level) for level in (Level.BEST, Level.BOLD, Level.CAREFUL)
}
PLAYERS: Mapping[str, Player] = {**BOTS, **{name: player for name, (_, player) in HABITS.items()}}


# Games --------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A decision of a player in a position, and the turn after the dice have fallen."""

    position: Position
    event: Event
    turn: Turn


def moves(rng: Random, player: Player) -> Iterator[Move]:
    """Yields the moves of a whole card."""
    card = EMPTY
    while None in card:
        turn: Turn = Position(YATZEE_SIX, card)
        while isinstance(turn, Position):
            position, event = turn, player(turn)
            thrown = event
            if isinstance(event, Throw):
                thrown = Throw(event.held, tuple(rng.choices(FACES, k=SIX - len(event.held))))
            turn = thrown.play(position).turn
            yield Move(position, event, turn)
        card = turn.scorecard


def losses(seed: int, player: Player) -> list[float]:
    """Returns the losses of a game in points, by the throw before the decision."""
    lost = [0.0, 0.0, 0.0]
    for position, event, _ in moves(Random(seed), player):
        if position.throw:
            lost[position.throw - 1] += loss(position, event)
    return lost


def loss(position: Position, event: Event) -> float:
    """Returns the loss of a choice in points."""
    return whole_game.value(position) - whole_game.worth(position, event)


def judged(name: str) -> dict[str, Any]:
    """Returns the mean loss of a player's games, and its standard error."""
    number = BOT_GAMES if name in BOTS else HABIT_GAMES
    games = [losses(seed, PLAYERS[name]) for seed in range(number)]
    sums = [*map(sum, games)]
    return {
        "lost": round(mean(sums), 3),
        "standard_error": round(stdev(sums) / number**0.5, 3),
        "by_throw": [round(mean(part), 3) for part in zip(*games, strict=True)],
        "games": [round(total, 3) for total in sums[:KEPT]],
    }


def main(names: list[str]) -> None:
    """Plays the games of these players, or of all, and writes their losses."""
    for name in names or PLAYERS:
        summary = judged(name)
        summaries = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {}
        summaries[name] = summary
        ordered = {player: summaries[player] for player in PLAYERS if player in summaries}
        PATH.write_text(json.dumps(ordered, indent=2) + "\n", "utf-8")
        print(name, summary["lost"], summary["standard_error"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
