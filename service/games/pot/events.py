"""The two things that a player does: what speaks against each, and what it leads to."""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from service.games.pot.coins import Ledger
from service.games.pot.position import HELD_FOR_RETHROW, Phase, Position, Turn
from service.games.pot.possible import repeated_letters
from service.games.pot.rewards import choices, takes_from_players
from service.games.pot.rounds import Step, play_off, settle
from service.games.pot.rulesets import THROW_PRICE
from service.games.pot.scoring import (
    LETTERS,
    THREE,
    Dice,
    as_dice,
    letters,
    points,
    without,
)
from service.games.pot.turn import NextThrow, Status, accepted, next_throw, status_of, thrown
from service.rules.verdict import Finding, Param


class Throw(NamedTuple):
    """Dice are thrown, all or those that are not held. As told, in any order."""

    dice: Dice | None
    """None: not thrown yet."""
    held: Dice = ()


class Accept(NamedTuple):
    """The player takes the dice as his result, with the reward that names these players (P2.4)."""

    players: tuple[int, ...] = ()
    """As told, in any order: findings point at them."""


Event = Throw | Accept


def legal_events(turn: Turn) -> tuple[str, ...]:
    """The types of event that are legal here, in alphabetical order; none when all is over."""
    if not isinstance(turn, Position):
        return ()
    if turn.phase is not Phase.CHOOSE:
        return ("throw",)
    if status_of(turn) is not Status.OPEN:
        return ()
    return ("accept",) if next_throw(turn) is None else ("accept", "throw")


def objections(position: Position, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal here; none if it is legal. ``at`` points at it.

    Of one whose dice have not fallen, only what does not depend on them is judged.
    """
    if position.phase is Phase.CHOOSE and status_of(position) is not Status.OPEN:
        rule = "P2.2" if status_of(position) is Status.BUST else "P2.3"
        return (Finding("turn-over", rule, at),)
    match event:
        case Throw():
            return tuple(_against_throw(position, event, at))
        case Accept(players):
            return tuple(_against_accept(position, players, at))
        case _:
            assert_never(event)


def _against_throw(position: Position, event: Throw, at: str) -> Iterator[Finding]:
    if position.phase is Phase.CHOOSE and next_throw(position) is None:
        out_of_coins = position.throws == 2
        yield Finding("no-coin-for-throw" if out_of_coins else "no-throw-left", "P2.1", at)
    if position.phase is Phase.RETHROW:
        held = HELD_FOR_RETHROW
        if event.held and event.held != held:
            yield Finding("held-mismatch", "P4.1", f"{at}/held")
    else:
        held = event.held
        yield from _not_lying(position, held, f"{at}/held")
    expected = THREE - len(held) if position.lying else THREE
    if expected <= 0:
        yield Finding("nothing-thrown", "P2.1", f"{at}/held")
    if event.dice is not None:
        yield from _against_dice(position, held, event.dice, expected, f"{at}/dice")


def _against_dice(
    position: Position, held: Dice, dice: Dice, expected: int, at: str
) -> Iterator[Finding]:
    """What speaks against the dice thrown while these were held."""
    if 0 < expected != len(dice):
        params: dict[str, Param] = {"expected": expected, "actual": len(dice)}
        yield Finding("wrong-number-of-dice", _rule_of_number(position), at, params)
    kept = without(position.lying, without(position.lying, held))
    yield from repeated_letters(dice, at, letters(kept))
    yield from _letters_not_thrown(position.lying, kept, dice, at)


def _rule_of_number(position: Position) -> str:
    if position.phase is Phase.SUDDEN_DEATH:
        return "P6.2"
    return "P4.1" if position.phase is Phase.RETHROW else "P2.1"


def _not_lying(position: Position, held: Dice, at: str) -> Iterator[Finding]:
    """The dice held that do not lie on the table, or not so often."""
    left = list(position.lying)
    for i, face in enumerate(held):
        if face in left:
            left.remove(face)
        else:
            yield Finding("not-on-table", "P2.1", f"{at}/{i}", {"die": face})


def _letters_not_thrown(lying: Dice, kept: Dice, dice: Dice, at: str) -> Iterator[Finding]:
    """Letters that cannot come up, since the only dice that bear them were held (P1.1).

    Which number die bears which of the letters not in sight is unknown, so as many of these may
    come up as number dice are thrown.
    """
    if not lying:
        return
    free = len(without(lying, kept)) - len(letters(without(lying, kept)))
    hidden = set(LETTERS) - set(lying)
    for i, face in enumerate(dice):
        if face not in hidden:
            continue
        hidden.remove(str(face))
        free -= 1
        if free < 0:
            yield Finding("letter-not-thrown", "P1.1", f"{at}/{i}", {"die": face})


def _against_accept(position: Position, players: tuple[int, ...], at: str) -> Iterator[Finding]:
    if position.phase is not Phase.CHOOSE:
        rules = {Phase.RETHROW: "P4.1", Phase.SUDDEN_DEATH: "P6.2"}
        rule = rules.get(position.phase, "P2.4")
        yield Finding("accept-not-due", rule, at, {"phase": position.phase.value})
        return
    combo, coins, roller = position.combo, position.coins.players, position.player
    offered, _ = choices(position.rules, combo, position.coins, roller)
    sizes = sorted({len(choice.players) for choice in offered})
    rule = "P2.4" if combo is None else combo.rule
    if len(players) not in sizes:
        params: dict[str, Param] = {"expected": tuple(sizes), "actual": len(players)}
        yield Finding("wrong-number-of-players", rule, f"{at}/players", params)
    must_pay = takes_from_players(position.rules, combo)
    for i, player in enumerate(players):
        place = f"{at}/players/{i}"
        if player >= len(coins):
            yield Finding("player-out-of-range", "P1.2", place, {"count": len(coins)})
        elif player == roller:
            yield Finding("names-roller", rule, place)
        elif player in players[:i]:
            yield Finding("player-named-twice", rule, place, {"player": player})
        elif must_pay and not coins[player]:
            yield Finding("player-without-coins", "P6.1", place, {"player": player})


def play(position: Position, event: Event) -> Step:
    """What the event leads to. It is legal: ``objections`` has nothing against it."""
    match event:
        case Throw(dice, held):
            assert dice is not None, "a throw that is played has fallen"
            return _throw(position, dice, held)
        case Accept(players):
            named = tuple(sorted(players))
            offered, _ = choices(position.rules, position.combo, position.coins, position.player)
            return accepted(position, next(one for one in offered if one.players == named))
        case _:
            assert_never(event)


def _throw(position: Position, dice: Dice, held: Dice) -> Step:
    if position.phase is Phase.SUDDEN_DEATH:
        return play_off(position, points(as_dice(dice)))
    if position.phase is Phase.RETHROW:
        result = points(as_dice((*HELD_FOR_RETHROW, *dice)))
        return settle(position, position.coins, result).after((), "P4.1")
    ledger = Ledger(position.coins)
    if next_throw(position) is NextThrow.PAID:
        ledger.pay_throw(position.player, THROW_PRICE)
    lies = position._replace(
        coins=ledger.coins,
        dice=as_dice((*held, *dice)),
        throws=(position.throws or 0) + 1,
    )
    return thrown(lies).after(ledger.effects, "P2.1")
