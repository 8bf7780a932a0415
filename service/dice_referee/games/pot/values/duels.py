"""Win probabilities in a game of two in which both players play to win (O18).

Chances at the start of a turn come from a file, which ``make tables`` solves and writes. The
current turn is computed from them by the steps of the game.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import loads
from operator import add
from typing import NamedTuple
from zlib import decompress

from dice_referee.games.pot.coins import POT, EffectType, Transfers
from dice_referee.games.pot.events import Accept, Event
from dice_referee.games.pot.position import LAST_ROLL, Over, Phase, Position, Turn
from dice_referee.games.pot.rulesets import ROLL_PRICE, Ruleset
from dice_referee.games.pot.scoring import Dice, as_dice, points
from dice_referee.games.pot.values.falls import (
    PLACES,
    ROLLS,
    WHOLE,
    best_values,
    falls,
    roll_value,
    unit_of,
)
from dice_referee.rulebook.findings import Finding

PLAYERS_OF_A_DUEL = 2

FULL = 65535
"""Number that encodes the chance 1 in the file."""

KEPT_TURNS = 256
"""Size of the LRU cache of turns. A turn takes 10 kB."""


class WinChances(NamedTuple):
    """Content of a ruleset's file: the chances of the player who is about to roll."""

    error: float
    """Greatest error of these chances (0 to 1)."""
    starts: dict[tuple[int, int], int]
    """Index of the chances by the other's coins and the coins on the POT, without own coins."""
    rows: tuple["array[int]", ...]
    """Chances from 0 to ``FULL`` by the result to beat, without a result first."""


@cache
def win_chances(ruleset: str) -> WinChances:
    line, _, body = _path(ruleset).read_bytes().partition(b"\n")
    header, data = loads(line), decompress(body)
    coins, size = header["coins"], len(data) // 2 // header["results"]
    halves = zip(data, data[len(data) // 2 :], strict=False)
    signed = [(low >> 1 | high << 7) ^ -(low & 1) for low, high in halves]
    starts, start = dict[tuple[int, int], int](), 0
    for other in range(coins + 1):
        for pot in range(coins - other + 1):
            starts[other, pot] = start
            start += coins - other - pot + 1
    rows: list[array[int]] = []
    differences = [0] * size
    for first in range(0, len(signed), size):
        differences = list(map(add, differences, signed[first : first + size]))
        rows.append(_sum_along_pot(differences, starts, coins))
    return WinChances(header["error"], starts, tuple(rows))


def _sum_along_pot(
    differences: Sequence[int], starts: dict[tuple[int, int], int], coins: int
) -> "array[int]":
    row, before = array("H"), [0]
    for (other, pot), start in starts.items():
        number = coins - other - pot + 1
        before = before if pot else [0] * number
        before = list(map(add, before, differences[start : start + number]))
        row.extend(chance & FULL for chance in before)
    return row


@cache
def has_win_chances(rules: Ruleset) -> bool:
    return not rules.house_rules and _path(rules.id).is_file()


def unknown_duel(position: Position, at: str) -> Iterator[Finding]:
    """Yields every reason why the win probability is unknown (O18).

    ``at`` is the JSON pointer of the players or of their coins.
    """
    rules, count = position.rules, len(position.coins.players)
    if count != PLAYERS_OF_A_DUEL:
        yield Finding("two-players-only", "O18", at, {"count": count})
    if not has_win_chances(rules):
        yield Finding("no-table", "O18", "/options" if rules.house_rules else "/ruleset")


def _path(ruleset: str) -> Traversable:
    return files("dice_referee.games.pot").joinpath("chances", f"{ruleset}.bin")


# A turn -------------------------------------------------------------------------------------------


def value(position: Position) -> float:
    """Returns the win probability of the player to move, by the best choice."""
    match position.phase:
        case Phase.ROLL:
            return worth_of_roll(position, ())
        case Phase.CHOOSE if position.next_roll is None:
            return _end_value(position)
        case Phase.CHOOSE:
            left = _rolls_left(position)
            return _values(position)[left][PLACES[position.roll or ()]] / unit_of(left)
        case Phase.SUDDEN_DEATH if not position.sums:
            # The game is symmetric (P6.2).
            return 1 / PLAYERS_OF_A_DUEL
        case _:
            return _mean_of_last_roll(position)


def worth(position: Position, event: Event) -> float:
    """Returns the win probability once this event is chosen."""
    if isinstance(event, Accept):
        return _chance_after(event.play(position).turn, position.player)
    if position.phase in (Phase.ROLL, Phase.CHOOSE):
        return worth_of_roll(position, as_dice(event.held))
    return value(position)


def worth_after(turn: Turn, player: int, value_of: Callable[[Position], float] = value) -> float:
    if isinstance(turn, Over):
        return float(turn.winner == player)
    chance = value_of(turn)
    return chance if turn.player == player else 1 - chance


def worth_of_roll(position: Position, held: Dice) -> float:
    """Returns the win probability once all dice but those held are rolled."""
    left = _rolls_left(position)
    after = _values(position)[left - 1]
    return roll_value(position.roll or (), held, after) / unit_of(left)


def _rolls_left(position: Position) -> int:
    """Returns the number of rolls left. The last requires a coin at the start of the turn."""
    made = position.rolls_made or 0
    return LAST_ROLL - made - (position.coins.players[position.player] < ROLL_PRICE)


def _values(position: Position) -> Sequence[Sequence[float]]:
    return _turn(position._replace(roll=None, rolls_made=None, followed=()))


@lru_cache(maxsize=KEPT_TURNS)
def _turn(start: Position) -> Sequence[Sequence[float]]:
    unpaid = _end_values(start, LAST_ROLL - 1)
    ends = [unpaid, unpaid]
    if _rolls_left(start) == LAST_ROLL:
        paid = Transfers(start.coins)
        paid.move(EffectType.ROLL_PAID, start.player, POT, ROLL_PRICE)
        ends.insert(0, _end_values(start._replace(coins=paid.coins), LAST_ROLL))
    scaled = [[chance * unit_of(left) for chance in chances] for left, chances in enumerate(ends)]
    return best_values(scaled)


def _end_values(start: Position, made: int) -> list[float]:
    return [_end_value(start._replace(roll=dice, rolls_made=made)) for dice in ROLLS]


def _end_value(position: Position) -> float:
    verdict = position.verdict()
    steps = [step for _, step in verdict.rewards] if verdict.end is None else [verdict.end]
    return max(_chance_after(step.turn, position.player) for step in steps)


def _mean_of_last_roll(position: Position) -> float:
    """Returns the mean chance after a roll that counts as it falls (P4.1, P6.2)."""
    settle = partial(position.settle, position.coins) if position.held else position.play_off
    total = sum(
        parts * _chance_after(settle(points(dice)).turn, position.player)
        for dice, parts in falls(position.lying, position.held or ()).items()
    )
    return total / WHOLE


def _chance_after(turn: Turn, player: int) -> float:
    return worth_after(turn, player, _stored)


def _stored(position: Position) -> float:
    if position.phase is not Phase.ROLL:
        return value(position)
    file, coins, player = win_chances(position.rules.id), position.coins, position.player
    place = file.starts[coins.players[1 - player], coins.pot] + coins.players[player]
    return file.rows[position.to_beat or 0][place] / FULL
