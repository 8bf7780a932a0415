"""A game that is kept between two events, and what chance brings to it."""

from collections.abc import Mapping
from typing import Any

from service.games.pot.coins import Coins
from service.games.pot.events import Event, Throw
from service.games.pot.game import Table
from service.games.pot.position import LAST_THROW, Over, Phase, Position, Reason
from service.games.pot.possible import impossibilities
from service.games.pot.rulesets import Ruleset
from service.games.pot.scoring import MOST_POINTS, SET, THREE, Dice, Face, as_dice
from service.games.pot.turn import Status, status_of
from service.rules.chance import Chance
from service.rules.kept import check


def saved(table: Table) -> dict[str, Any]:
    """All that the rest of the game depends on; of a game that is over, how it ended."""
    turn = table.turn
    document = {"coins": turn.coins.players, "pot": turn.coins.pot, "bank": turn.coins.bank}
    if isinstance(turn, Over):
        return {**document, "reason": turn.reason, "winner": turn.winner}
    return {
        **document,
        "player": turn.player,
        "dice": turn.dice,
        "throws": turn.throws,
        "holder": turn.holder,
        "to_beat": turn.to_beat,
        "held": turn.held,
        "tied": turn.tied,
        "sums": turn.sums,
    }


def loaded(rules: Ruleset, players: int, document: Mapping[str, Any]) -> Table:
    """The table that was saved; ValueError if no game can stand like this."""
    owned = tuple(map(int, document["coins"]))
    coins = Coins(owned, int(document["pot"]), int(document["bank"]))
    check(len(owned) == players and min(*owned, coins.pot, coins.bank) >= 0)
    if "winner" in document:
        return Table(_ended(rules, coins, Reason(document["reason"]), int(document["winner"])))
    return Table(_position(rules, coins, document))


def _ended(rules: Ruleset, coins: Coins, reason: Reason, winner: int) -> Over:
    """A game ends with its POT collected; those with most are several only if they throw."""
    most = max(coins.players)
    best = [player for player, owned in enumerate(coins.players) if owned == most]
    check(coins.total == rules.total_coins and not coins.pot and most >= rules.target)
    check(winner in best and (len(best) > 1) is (reason is Reason.SUDDEN_DEATH))
    return Over(rules, coins, reason, winner)


def _position(rules: Ruleset, coins: Coins, document: Mapping[str, Any]) -> Position:
    def number(name: str, least: int, most: int) -> int | None:
        value = document[name]
        check(value is None or least <= value <= most)
        return None if value is None else int(value)

    def lying(name: str) -> Dice | None:
        return None if document[name] is None else as_dice(document[name])

    players = len(coins.players)
    position = Position(
        rules,
        coins,
        int(document["player"]),
        lying("dice"),
        number("throws", 1, LAST_THROW),
        number("holder", 0, players - 1),
        number("to_beat", 1, MOST_POINTS),
        lying("held"),
        tuple(map(int, document["tied"])),
        tuple(map(int, document["sums"])),
    )
    check(0 <= position.player < players and all(player >= 0 for player in position.tied))
    check(len(position.tied) != 1 and all(0 <= one <= MOST_POINTS for one in position.sums))
    check(not impossibilities(position))
    check(position.phase is not Phase.RETHROW or position.throws is not None)
    # 1 1 1 and P O T do not lie there: they ended the turn at once (P2.2, P2.3).
    check(position.phase is not Phase.CHOOSE or status_of(position) is Status.OPEN)
    return position


def dealt(
    table: Table, event: Event, hidden: Any, chance: Chance
) -> tuple[dict[str, Any], list[Face]]:
    """The dice of a throw as they fall, and what each die of ``SET`` shows now (P1.1).

    Dice that are held stay the same dice: of two that show the same number, the first.
    """
    assert isinstance(event, Throw), "only a throw waits for dice"
    position = table.turn
    assert isinstance(position, Position), "nothing is thrown when the game is over"
    shown: list[Face] = []
    free = list(range(THREE))
    if position.lying:
        shown = _shown(hidden, position.lying)
        for face in event.held or position.held or ():
            free.remove(next(die for die in free if shown[die] == face))
    fallen = chance.dice(len(free), len(SET[0]))
    thrown = {die: SET[die][one - 1] for die, one in zip(free, fallen, strict=True)}
    now = [thrown.get(die) or shown[die] for die in range(THREE)]
    return {"dice": list(thrown.values())}, now


def _shown(hidden: Any, lying: Dice) -> list[Face]:
    """What each die shows. Raises ValueError unless these are the dice on the table."""
    check(isinstance(hidden, list) and all(type(face) in (int, str) for face in hidden))
    check(len(hidden) == THREE and all(map(tuple.__contains__, SET, hidden)))
    shown: list[Face] = hidden
    check(as_dice(shown) == lying)
    return shown
