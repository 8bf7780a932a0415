"""The two events of a player: roll and accept."""

from collections.abc import Iterator
from typing import NamedTuple

from dice_referee.games.pot.arrangements import after_roll, can_fall
from dice_referee.games.pot.coins import POT, EffectType, Transfers
from dice_referee.games.pot.position import (
    HELD_FOR_REROLL,
    NextRoll,
    Phase,
    Position,
    RollStatus,
    Turn,
)
from dice_referee.games.pot.possible import repeated_letters
from dice_referee.games.pot.rewards import takes_from_players
from dice_referee.games.pot.rulesets import ROLL_PRICE
from dice_referee.games.pot.scoring import LETTERS, THREE, Dice, Face, as_dice, points, without
from dice_referee.rulebook.dice import not_among, times_wanted
from dice_referee.rulebook.findings import Finding, Param
from dice_referee.rulebook.game import Step

_PHASE_RULES = {Phase.REROLL: "P4.1", Phase.SUDDEN_DEATH: "P6.2"}


class Roll(NamedTuple):
    """Roll of all dice, or of those not held, both in the order of the request."""

    dice: Dice | None = None
    held: Dice = ()

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        if position.phase is Phase.CHOOSE and position.next_roll is None:
            out_of_coins = position.rolls_made == 2
            yield Finding("no-coin-for-roll" if out_of_coins else "no-roll-left", "P2.1", at)
        reroll = position.phase is Phase.REROLL
        held = HELD_FOR_REROLL if reroll else self.held
        if not reroll:
            for i, face in not_among(position.lying, held):
                params = {"die": face, "times": times_wanted(face, position.lying, held)}
                yield Finding("not-on-table", "P2.1", f"{at}/held/{i}", params)
        elif self.held not in ((), held):
            yield Finding("held-mismatch", "P4.1", f"{at}/held")
        expected = THREE - len(held) if position.lying else THREE
        if expected <= 0:
            yield Finding("nothing-rolled", "P2.1", f"{at}/held")
        if self.dice is not None:
            yield from _against_dice(position, held, self.dice, expected, f"{at}/dice")

    def play(self, position: Position) -> Step[Turn]:
        assert self.dice is not None, "a roll that is played has fallen"
        if position.phase is Phase.SUDDEN_DEATH:
            return position.play_off(points(as_dice(self.dice)))
        if position.phase is Phase.REROLL:
            result = points(as_dice((*HELD_FOR_REROLL, *self.dice)))
            return position.settle(position.coins, result).after((), "P4.1")
        transfers = Transfers(position.coins)
        before = () if position.roll is None else position.arrangements
        if position.next_roll is NextRoll.PAID:
            transfers.move(EffectType.ROLL_PAID, position.player, POT, ROLL_PRICE)
        lies = position._replace(
            coins=transfers.coins,
            roll=as_dice((*self.held, *self.dice)),
            rolls_made=(position.rolls_made or 0) + 1,
            followed=after_roll(before, self.held, self.dice),
        )
        if lies.status is RollStatus.OPEN:
            return Step(lies, transfers.effects, frozenset({"P2.1"}))
        return lies.force_end().after(transfers.effects, "P2.1")


class Accept(NamedTuple):
    """Acceptance of the dice as a result, with the reward that names these players (P2.4)."""

    players: tuple[int, ...] = ()
    """Players in the order of the request, so that findings can point at them."""

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        if position.phase is not Phase.CHOOSE:
            rule = _PHASE_RULES.get(position.phase, "P2.4")
            yield Finding("accept-not-due", rule, at, {"due": position.phase.value})
            return
        players, coins, combo = self.players, position.coins.players, position.combo
        sizes = sorted({len(choice.players) for choice in position.offer.rewards})
        rule = "P2.4" if combo is None else combo.rule
        if len(players) not in sizes:
            params: dict[str, Param] = {"expected": tuple(sizes), "actual": len(players)}
            yield Finding("wrong-number-of-players", rule, f"{at}/players", params)
        must_pay = takes_from_players(position.rules, combo)
        for i, player in enumerate(players):
            place = f"{at}/players/{i}"
            if player >= len(coins):
                yield Finding("player-out-of-range", "P1.2", place, {"count": len(coins)})
            elif player == position.player:
                yield Finding("names-roller", rule, place)
            elif player in players[:i]:
                yield Finding("player-named-twice", rule, place, {"player": player})
            elif must_pay and not coins[player]:
                yield Finding("player-without-coins", "P6.1", place, {"player": player})

    def play(self, position: Position) -> Step[Turn]:
        named, offered = tuple(sorted(self.players)), position.offer.rewards
        return position.accept(next(offer for offer in offered if offer.players == named))


Event = Roll | Accept


def _against_dice(
    position: Position, held: Dice, dice: Dice, expected: int, at: str
) -> Iterator[Finding]:
    if 0 < expected != len(dice):
        params: dict[str, Param] = {"expected": expected, "actual": len(dice)}
        yield Finding("wrong-number-of-dice", _PHASE_RULES.get(position.phase, "P2.1"), at, params)
    lying = without(position.lying, without(position.lying, held))
    yield from repeated_letters(dice, at, lying)
    yield from _letters_not_rolled(position, lying, dice, at)


def _letters_not_rolled(position: Position, lying: Dice, dice: Dice, at: str) -> Iterator[Finding]:
    """Yields a finding for each letter that cannot come up, as its only die was held (P1.1)."""
    fallen = set[Face]()
    for i, face in enumerate(dice):
        if face not in LETTERS or face in position.lying or face in dice[:i]:
            continue
        if not position.lying or can_fall(fallen | {face}, position.arrangements, lying):
            fallen.add(face)
        else:
            yield Finding("letter-not-rolled", "P1.1", f"{at}/{i}", {"die": face})
