"""Every reason why a game, as a request describes it, is impossible."""

from collections.abc import Iterator

from dice_referee.games.pot.position import HELD_FOR_REROLL, LAST_ROLL, Phase, Position
from dice_referee.games.pot.scoring import LETTERS, THREE, Dice
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Document


def impossibilities(position: Position, _: Document) -> Iterator[Finding]:
    """Yields every reason why the position is impossible.

    The origin of the coins and earlier events are not judged.
    """
    roll, coins = position.roll, position.coins
    if roll is not None:
        if len(roll) != THREE:
            params = {"expected": THREE, "actual": len(roll)}
            yield Finding("wrong-number-of-dice", "P1.1", "/roll", params)
        yield from repeated_letters(roll, "/roll")
    yield from _fields(position)
    if coins.total != position.rules.total_coins:
        params = {"expected": position.rules.total_coins, "actual": coins.total}
        yield Finding("coins-do-not-add-up", "P6.3", "/coins", params)
    count = len(coins.players)
    for at, player in (("/player", position.player), ("/holder", position.holder)):
        if player is not None and player >= count:
            yield Finding("player-out-of-range", "P1.2", at, {"count": count})
    yield from _control(position)
    yield from _sudden_death(position)


def repeated_letters(dice: Dice, at: str, lying: Dice = ()) -> Iterator[Finding]:
    """Yields a finding for each letter that ``dice`` repeat or share with ``lying`` (P1.1)."""
    seen = set(lying)
    for i, face in enumerate(dice):
        if face in LETTERS and face in seen:
            yield Finding("letter-repeated", "P1.1", f"{at}/{i}", {"die": face})
        seen.add(face)


def _fields(position: Position) -> Iterator[Finding]:
    """Yields a finding for each field that contradicts the phase. Later fields decide the phase."""
    phase = position.phase
    here = {"phase": phase.value}
    if position.roll is not None and phase is not Phase.CHOOSE:
        yield Finding("not-in-this-phase", "P2.1", "/roll", here)
    if position.held is not None:
        if phase is not Phase.REROLL:
            yield Finding("not-in-this-phase", "P4.1", "/held", here)
        elif position.held != HELD_FOR_REROLL:
            yield Finding("held-mismatch", "P4.1", "/held")
    if position.rolls_made is None:
        if phase is Phase.CHOOSE:
            yield Finding("rolls-made-missing", "P2.1", "/rolls_made")
    elif phase not in (Phase.CHOOSE, Phase.REROLL):
        yield Finding("not-in-this-phase", "P2.1", "/rolls_made", here)
    elif position.rolls_made == LAST_ROLL and not position.coins.pot:
        yield Finding("roll-not-paid", "P2.1", "/pot")
    if position.sums and phase is not Phase.SUDDEN_DEATH:
        yield Finding("not-in-this-phase", "P6.2", "/sums", here)


def _control(position: Position) -> Iterator[Finding]:
    holder, to_beat = position.holder, position.to_beat
    if position.phase is Phase.SUDDEN_DEATH:
        here = {"phase": position.phase.value}
        for at, value in (("/holder", holder), ("/to_beat", to_beat)):
            if value is not None:
                yield Finding("not-in-this-phase", "P6.2", at, here)
        return
    if holder is not None and holder == position.player:
        yield Finding("holder-is-player", "P3.2", "/holder")
    if holder is None and to_beat is not None:
        yield Finding("holder-missing", "P3.1", "/holder")
    if holder is not None and to_beat is None:
        yield Finding("to-beat-missing", "P3.1", "/to_beat")


def _sudden_death(position: Position) -> Iterator[Finding]:
    """Yields every reason why these players cannot be in sudden death (P5.1, P6.2)."""
    tied, coins = position.tied, position.coins
    if not tied:
        return
    most = max(coins.players)
    if coins.pot:
        yield Finding("pot-not-collected", "P5.1", "/pot")
    if most < position.rules.target:
        yield Finding("target-not-reached", "P5.1", "/coins", {"target": position.rules.target})
    for i, player in enumerate(tied):
        if player >= len(coins.players):
            params = {"count": len(coins.players)}
            yield Finding("player-out-of-range", "P1.2", f"/tied/{i}", params)
        elif coins.players[player] < most:
            params = {"player": player, "most": most}
            yield Finding("not-tied", "P5.1", f"/tied/{i}", params)
        if i and player <= tied[i - 1]:
            yield Finding("tied-out-of-order", "P6.2", f"/tied/{i}")
    if len(position.sums) >= len(tied):
        params = {"maximum": len(tied) - 1}
        yield Finding("too-many-sums", "P6.2", "/sums", params)
    elif position.player != tied[len(position.sums)]:
        params = {"expected": tied[len(position.sums)]}
        yield Finding("player-mismatch", "P6.2", "/player", params)
