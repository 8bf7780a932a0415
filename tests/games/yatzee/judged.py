"""Games of bots and of players with a habit, each decision judged by what it gives away (O15).

    python -m tests.games.yatzee.judged [name ...]

writes ``judged.json`` for the guide. A player with a habit takes the choice that is worth most of
those that the habit leaves open. A game has its number as its seed, so that any of them can be
played again. What is given away in a game is, in the mean, the optimum less the player's total, and
varies far less than totals do.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

from service.games.yatzee.categories import CATEGORIES, FACE_OF, Category
from service.games.yatzee.events import Event, Strike, Throw, Write
from service.games.yatzee.position import Position
from service.games.yatzee.rulesets import YATZEE_SIX
from service.games.yatzee.scoring import SIX
from service.games.yatzee.sheet import EMPTY
from service.games.yatzee.turn import Turn
from service.games.yatzee.values import whole_game
from service.games.yatzee.values.bots import advise
from service.games.yatzee.values.odds import Question, points_now
from service.games.yatzee.values.whole_game import Choice
from service.rules.bots import Level
from service.rules.dice import FACES

PATH = Path(__file__).with_name("judged.json")
BOT_GAMES, HABIT_GAMES = 400, 200
KEPT = 5
"""Games whose losses are kept one by one."""
COMMON = {Category.ONE_PAIR, Category.TWO_PAIRS, Category.THREE_OF_A_KIND, Category.CHANCE}
"""Lower categories that most turns satisfy; the others are rare."""
ENOUGH = 3
"""Dice of each upper category that reach the threshold."""

Player = Callable[[Position], Event]
Fills = list[Strike | Write]


@dataclass(frozen=True)
class Habit:
    """A choice of choices; of an empty one, all are left."""

    fills: Callable[[Position, Fills], Fills] = lambda _, fills: fills
    """The ways to fill the card."""
    holds: Callable[[Position, Throw], bool] = lambda *_: True
    """Says of a hold that it may be chosen."""
    stops: Callable[[Position, Fills], bool] = lambda *_: False
    """Says that the card has to be filled."""

    def __call__(self, position: Position) -> Event:
        """Returns the best choice that the habit leaves open."""
        choices = {one.event: one for one in whole_game.choices(position)}
        if not choices:
            return Throw()
        fills: Fills = [one for one in choices if not isinstance(one, Throw)]
        allowed: list[Event] = [*(self.fills(position, fills) or fills)]
        if not self.stops(position, fills):
            throws = [one for one in choices if isinstance(one, Throw)]
            allowed += [one for one in throws if self.holds(position, one)]
        return max((choices[one] for one in allowed), key=_value).event


def _value(choice: Choice) -> float:
    return choice.value


# Habits -------------------------------------------------------------------------------------------


def in_block(upper: bool) -> Callable[[Position, Fills], Fills]:
    """Returns the ways to fill one block."""
    return lambda _, fills: [one for one in fills if one.category.is_upper is upper]


def card_order(position: Position, fills: Fills) -> Fills:
    return [min(fills, key=lambda one: CATEGORIES.index(one.category))]


def no_strikes(position: Position, fills: Fills) -> Fills:
    return [one for one in fills if isinstance(one, Write)]


def most_points(position: Position, fills: Fills) -> Fills:
    points = {one: points_now(position, one.category) for one in fills}
    return [one for one in fills if points[one] == max(points.values())]


def enough_in_upper(position: Position, fills: Fills) -> Fills:
    def is_enough(one: Strike | Write) -> bool:
        face = FACE_OF.get(one.category)
        return face is None or (position.dice or ()).count(face) >= ENOUGH

    return [one for one in fills if is_enough(one)]


def last(category: Category) -> Callable[[Position, Fills], Fills]:
    """Returns the ways to fill other categories."""
    return lambda _, fills: [one for one in fills if one.category is not category]


def strikes_yatzee(position: Position, fills: Fills) -> Fills:
    if Strike(Category.YATZEE) not in fills:
        return fills
    return [one for one in fills if one.category is Category.YATZEE or isinstance(one, Write)]


def one_face(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    return len(set(throw.held)) == 1 and dice.count(throw.held[0]) == len(throw.held)


def largest_group(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    face = max(FACES, key=lambda one: (dice.count(one), one))
    return tuple(throw.held) == (face,) * dice.count(face)


def whole_groups(position: Position, throw: Throw) -> bool:
    dice = position.dice or ()
    return all(throw.held.count(face) == dice.count(face) for face in FACES if dice.count(face) > 1)


def rare(position: Position, fills: Fills) -> Fills:
    return [
        one
        for one in fills
        if isinstance(one, Write) and not one.category.is_upper and one.category not in COMMON
    ]


def rare_lies(position: Position, fills: Fills) -> bool:
    return bool(rare(position, fills))


def bot(level: Level) -> Player:
    """Returns the bot of a level."""
    return lambda position: advise(Question(position), level)


HABITS: Mapping[str, tuple[str, Player]] = {
    "card-order": ("fills the categories in the order of the card", Habit(card_order)),
    "upper-first": ("fills the upper block first", Habit(in_block(upper=True))),
    "lower-first": ("fills the lower block first", Habit(in_block(upper=False))),
    "most-points": ("fills the category that brings most points at once", Habit(most_points)),
    "no-strikes": ("strikes nothing while a category brings points", Habit(no_strikes)),
    "enough": (
        "fills an upper category with three dice or more, unless nothing else is open",
        Habit(enough_in_upper),
    ),
    "chance-last": ("keeps chance for the end", Habit(last(Category.CHANCE))),
    "yatzee-last": ("keeps yatzee for the end", Habit(last(Category.YATZEE))),
    "yatzee-struck": ("strikes yatzee before anything else", Habit(strikes_yatzee)),
    "one-face": ("holds all dice of one face and no others", Habit(holds=one_face)),
    "largest-group": ("holds the largest group and no other dice", Habit(holds=largest_group)),
    "whole-groups": ("never breaks up equal dice", Habit(holds=whole_groups)),
    "at-least-one": ("never throws all six dice again", Habit(holds=lambda _, one: bool(one.held))),
    "at-least-two": ("holds two dice or more", Habit(holds=lambda _, one: len(one.held) > 1)),
    "at-once": ("writes a rare category as soon as it lies there", Habit(rare, stops=rare_lies)),
}
"""Players with a habit, with what they do."""
BOTS: Mapping[str, Player] = {
    level.value: bot(level) for level in (Level.BEST, Level.BOLD, Level.CAREFUL)
}
PLAYERS: Mapping[str, Player] = {**BOTS, **{name: one for name, (_, one) in HABITS.items()}}


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
    """Returns the points that a game gives away, by the throw after which they were decided on."""
    lost = [0.0, 0.0, 0.0]
    for position, event, _ in moves(Random(seed), player):
        if position.throw:
            lost[position.throw - 1] += loss(position, event)
    return lost


def loss(position: Position, event: Event) -> float:
    """Returns the points that a choice gives away."""
    return whole_game.value(position) - whole_game.worth(position, event)


def judged(name: str) -> dict[str, Any]:
    """Returns the mean of what games of a player give away, and its standard error."""
    number = BOT_GAMES if name in BOTS else HABIT_GAMES
    games = [losses(seed, PLAYERS[name]) for seed in range(number)]
    sums = [*map(sum, games)]
    return {
        "lost": round(mean(sums), 3),
        "standard_error": round(stdev(sums) / number**0.5, 3),
        "by_throw": [round(mean(part), 3) for part in zip(*games, strict=True)],
        "games": [round(one, 3) for one in sums[:KEPT]],
    }


def main(names: list[str]) -> None:
    """Plays the games of these players, or of all, and writes what they give away."""
    for name in names or PLAYERS:
        found = judged(name)
        kept = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {}
        kept[name] = found
        ordered = {one: kept[one] for one in PLAYERS if one in kept}
        PATH.write_text(json.dumps(ordered, indent=2) + "\n", "utf-8")
        print(name, found["lost"], found["standard_error"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
