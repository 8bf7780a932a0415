"""Passing of the turn, end of a round and end of the game (P3.2, P3.3, P5.1, P6.2)."""

from dice_referee.games.pot.coins import BANK, POT, Coins, Effect, EffectType, Transfers
from dice_referee.games.pot.position import Over, Position, Reason, Turn
from dice_referee.games.pot.rulesets import ROUND_STAKE, Ruleset
from dice_referee.rulebook.game import Step


def settle(position: Position, coins: Coins, points: int) -> Step[Turn]:
    """Ends the turn with this result: it takes control of the POT or not (P2.4, P3.1)."""
    if beats(position, points):
        taken = Effect(EffectType.CONTROL_TAKEN, position.player, sum=points)
        passed = pass_on(position._replace(holder=position.player, to_beat=points), coins)
        return passed.after((taken,), "P3.1")
    return pass_on(position, coins).after((), "P3.1")


def beats(position: Position, points: int) -> bool:
    """Tells if a result takes control: always of a free POT, else if it is higher (P3.1)."""
    return position.to_beat is None or points > position.to_beat


def pass_on(position: Position, coins: Coins) -> Step[Turn]:
    """Begins the next player's turn; a player who still has control wins the round (P3.2)."""
    rules, following = position.rules, (position.player + 1) % len(coins.players)
    if position.holder == following:
        return win_round(rules, coins, following).after((), "P3.2")
    turn = Position(rules, coins, following, holder=position.holder, to_beat=position.to_beat)
    return Step(turn, (), frozenset())


def win_round(rules: Ruleset, coins: Coins, winner: int) -> Step[Turn]:
    """Collects the POT: the game ends (P5.1), or the winner starts anew (P3.3)."""
    transfers = Transfers(coins)
    transfers.collect(winner)
    players = transfers.coins.players
    if max(players) >= rules.target:
        best = tuple(i for i, owned in enumerate(players) if owned == max(players))
        return _end(rules, transfers.coins, best, Reason.MOST_COINS).after(
            transfers.effects, "P5.1"
        )
    transfers.move(EffectType.STAKED, BANK, POT, ROUND_STAKE)
    cites = {"P3.3", "P6.1"} if transfers.short else {"P3.3"}
    return Step(Position(rules, transfers.coins, winner), transfers.effects, frozenset(cites))


def play_off(position: Position, points: int) -> Step[Turn]:
    """Records a throw of sudden death; after the last one the highest sum wins (P6.2)."""
    rules, coins, tied = position.rules, position.coins, position.tied
    sums = (*position.sums, points)
    thrown = Effect(EffectType.PLAYED_OFF, position.player, sum=points)
    if len(sums) < len(tied):
        turn = position._replace(sums=sums, player=tied[len(sums)])
        return Step(turn, (thrown,), frozenset({"P6.2"}))
    best = tuple(player for player, one in zip(tied, sums, strict=True) if one == max(sums))
    return _end(rules, coins, best, Reason.SUDDEN_DEATH).after((thrown,), "P6.2")


def _end(rules: Ruleset, coins: Coins, best: tuple[int, ...], reason: Reason) -> Step[Turn]:
    """Ends the game for a single leader; several throw for it (P5.1, P6.2)."""
    if len(best) == 1:
        return Step(Over(rules, coins, reason, best[0]), (), frozenset())
    return Step(Position(rules, coins, best[0], tied=best), (), frozenset({"P6.2"}))
