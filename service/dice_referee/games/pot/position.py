"""Position of a game: the player to move, the dice on the table, and the coins.

A position holds everything on which the rest of the game depends. Its methods return the verdict
(P2, P4), the next turn, and the ends of round and game (P3.2, P3.3, P5.1, P6.2).
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from dice_referee.games.pot import rewards
from dice_referee.games.pot.arrangements import Arrangements, arrangements
from dice_referee.games.pot.coins import BANK, POT, Coins, Effect, EffectType, Transfers
from dice_referee.games.pot.rewards import Offer, Reward
from dice_referee.games.pot.rulesets import FINE, ROLL_PRICE, ROUND_STAKE, Ruleset
from dice_referee.games.pot.scoring import (
    ONES,
    POT_COMBO,
    STRAIGHT_123,
    Combo,
    Dice,
    combo_of,
    points,
)
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Step
from dice_referee.rulebook.ranking import leaders

LAST_ROLL = 3
"""Number of rolls in a turn: the first, a free roll and a paid roll (P2.1)."""

HELD_FOR_REROLL: Dice = (2,)
"""Dice left on the table when the 1 and 3 of an accepted 1 2 3 are rolled again (P4.1)."""


class Phase(StrEnum):
    """Event that the game waits for. Only answers contain ``over``."""

    ROLL = "roll"
    CHOOSE = "choose"
    REROLL = "reroll"
    SUDDEN_DEATH = "sudden-death"
    OVER = "over"


class RollStatus(StrEnum):
    OPEN = "open"
    BUST = "bust"
    POT = "pot"


class NextRoll(StrEnum):
    FREE = "free"
    PAID = "paid"


class Verdict(NamedTuple):
    points: int
    status: RollStatus
    combo: Combo | None
    beats: bool | None
    """True if accepting takes control, or None while 1 2 3 must be rolled again (P4.1)."""
    next_roll: NextRoll | None
    rewards: tuple[tuple[Reward, Step["Turn"]], ...]
    end: Step["Turn"] | None
    """Step that follows 1 1 1 or P O T (P2.2, P2.3)."""
    rules: frozenset[str]


class Reason(StrEnum):
    MOST_COINS = "most-coins"
    SUDDEN_DEATH = "sudden-death"


class Over(NamedTuple):
    """Game that has ended (P5.1)."""

    rules: Ruleset
    coins: Coins
    reason: Reason
    winner: int
    phase: Literal[Phase.OVER] = Phase.OVER
    legal_events: tuple[()] = ()

    def end(self, at: str) -> Finding:
        return Finding("game-over", "P5.1", at)


class Position(NamedTuple):
    """Running game. Dice are sorted, players are indices."""

    rules: Ruleset
    coins: Coins
    player: int
    """Player to move, as an index."""
    roll: Dice | None = None
    """Dice on the table, or None before the first roll of the turn."""
    rolls_made: int | None = None
    """Rolls made this turn, 1 to 3. The reroll of P4.1 is not counted."""
    holder: int | None = None
    """Player who controls the POT, or None at the beginning of a round (P3.1)."""
    to_beat: int | None = None
    held: Dice | None = None
    """Die that stays in the reroll of an accepted 1 2 3: the 2 (P4.1)."""
    tied: tuple[int, ...] = ()
    """Players who roll for the game in sudden death, in the order of play (P6.2)."""
    sums: tuple[int, ...] = ()
    """Sums in sudden death of the tied players who have already rolled."""
    followed: Arrangements = ()
    """Arrangements of the dice, traced through the turn, empty if only the dice are known."""

    @property
    def phase(self) -> Phase:
        if self.tied:
            return Phase.SUDDEN_DEATH
        if self.held is not None:
            return Phase.REROLL
        return Phase.ROLL if self.roll is None else Phase.CHOOSE

    # The dice -------------------------------------------------------------------------------------

    @property
    def combo(self) -> Combo | None:
        return None if self.roll is None else combo_of(self.roll, self.rules.zero_letters)

    @property
    def points(self) -> int:
        return points(self.roll or ())

    @property
    def lying(self) -> Dice:
        """Dice on the table before a roll, of which the player holds some."""
        return STRAIGHT_123.dice if self.phase is Phase.REROLL else self.roll or ()

    @property
    def arrangements(self) -> Arrangements:
        """Possible arrangements of the dice on the table (P1.1)."""
        return self.followed or arrangements(self.lying)

    @property
    def status(self) -> RollStatus:
        """Status of the dice: 1 1 1 and P O T end the turn or the round (P2.2, P2.3)."""
        if self.combo is ONES:
            return RollStatus.BUST
        return RollStatus.POT if self.combo is POT_COMBO else RollStatus.OPEN

    @property
    def next_roll(self) -> NextRoll | None:
        """Price of the next roll: free once, then a coin. None if no roll is left (P2.1)."""
        if self.phase is not Phase.CHOOSE or self.status is not RollStatus.OPEN:
            return None
        if self.rolls_made == 1:
            return NextRoll.FREE
        affordable = self.coins.players[self.player] >= ROLL_PRICE
        return NextRoll.PAID if self.rolls_made == 2 and affordable else None

    @property
    def offer(self) -> Offer:
        return rewards.offer(self.rules, self.combo, self.coins, self.player)

    def beats(self, points: int) -> bool:
        """Tells if a result takes control: always of a free POT, else if it is higher (P3.1)."""
        return self.to_beat is None or points > self.to_beat

    # Events ---------------------------------------------------------------------------------------

    def end(self, at: str) -> Finding | None:
        if self.phase is not Phase.CHOOSE or self.status is RollStatus.OPEN:
            return None
        return Finding("turn-over", "P2.2" if self.status is RollStatus.BUST else "P2.3", at)

    @property
    def legal_events(self) -> tuple[str, ...]:
        if self.phase is not Phase.CHOOSE:
            return ("roll",)
        if self.status is not RollStatus.OPEN:
            return ()
        return ("accept",) if self.next_roll is None else ("accept", "roll")

    def verdict(self) -> Verdict:
        """Returns the verdict on the dice. The position must be in phase ``choose``."""
        combo, status = self.combo, self.status
        if status is not RollStatus.OPEN:
            end, wins = self.force_end(), status is RollStatus.POT
            return Verdict(self.points, status, combo, wins, None, (), end, end.rules)
        offer = self.offer
        accepted = tuple((choice, self.accept(choice)) for choice in offer.rewards)
        cites = frozenset({"P2.1", "P6.1"} if offer.limited else {"P2.1"})
        cites = cites.union(*(step.rules for _, step in accepted))
        takes = None if combo is STRAIGHT_123 else self.beats(self.points)
        return Verdict(self.points, status, combo, takes, self.next_roll, accepted, None, cites)

    def accept(self, choice: Reward) -> Step["Turn"]:
        """Returns the step of accepting the dice with this reward (P2.4)."""
        cites = {"P2.4", "P6.1"} if choice.short else {"P2.4"}
        if self.combo is not None:
            cites.add(self.combo.rule)
        if self.combo is STRAIGHT_123:
            turn = self._replace(coins=choice.coins, roll=None, held=HELD_FOR_REROLL)
            return Step(turn, choice.effects, frozenset(cites))
        return self.settle(choice.coins, self.points).after(choice.effects, *cites)

    def force_end(self) -> Step["Turn"]:
        """Returns the step of 1 1 1, which ends the turn (P2.2), or of P O T (P2.3, P4.4)."""
        paid: Transfers | Reward
        if self.status is RollStatus.BUST:
            paid = transfers = Transfers(self.coins)
            transfers.move(EffectType.FINE_PAID, self.player, BANK, FINE)
            step, cites = self.pass_on(transfers.coins), {"P2.2"}
        else:
            paid = rewards.pot_bonus(self.rules, self.coins, self.player)
            step, cites = self._win_round(paid.coins, self.player), {"P2.3", "P4.4"}
        if paid.short:
            cites.add("P6.1")
        return step.after(paid.effects, *cites)

    # Turns and rounds -----------------------------------------------------------------------------

    def settle(self, coins: Coins, points: int) -> Step["Turn"]:
        """Ends the turn with this result, which may take control of the POT (P2.4, P3.1)."""
        if not self.beats(points):
            return self.pass_on(coins).after((), "P3.1")
        taken = Effect(EffectType.CONTROL_TAKEN, self.player, sum=points)
        passed = self._replace(holder=self.player, to_beat=points).pass_on(coins)
        return passed.after((taken,), "P3.1")

    def pass_on(self, coins: Coins) -> Step["Turn"]:
        """Begins the next player's turn. A player who still has control wins the round (P3.2)."""
        following = (self.player + 1) % len(coins.players)
        if self.holder == following:
            return self._win_round(coins, following).after((), "P3.2")
        turn = Position(self.rules, coins, following, holder=self.holder, to_beat=self.to_beat)
        return Step(turn, (), frozenset())

    def _win_round(self, coins: Coins, winner: int) -> Step["Turn"]:
        """Collects the POT: the game ends (P5.1), or the winner starts anew (P3.3)."""
        transfers = Transfers(coins)
        transfers.collect(winner)
        players = transfers.coins.players
        if max(players) >= self.rules.target:
            ended = self._end_game(transfers.coins, leaders(players), Reason.MOST_COINS)
            return ended.after(transfers.effects, "P5.1")
        transfers.move(EffectType.STAKED, BANK, POT, ROUND_STAKE)
        cites = {"P3.3", "P6.1"} if transfers.short else {"P3.3"}
        turn = Position(self.rules, transfers.coins, winner)
        return Step(turn, transfers.effects, frozenset(cites))

    def play_off(self, points: int) -> Step["Turn"]:
        """Records a roll of sudden death. After the last roll the highest sum wins (P6.2)."""
        tied, sums = self.tied, (*self.sums, points)
        rolled = Effect(EffectType.PLAYED_OFF, self.player, sum=points)
        if len(sums) < len(tied):
            turn = self._replace(sums=sums, player=tied[len(sums)])
            return Step(turn, (rolled,), frozenset({"P6.2"}))
        best = tuple(tied[place] for place in leaders(sums))
        return self._end_game(self.coins, best, Reason.SUDDEN_DEATH).after((rolled,), "P6.2")

    def _end_game(self, coins: Coins, best: tuple[int, ...], reason: Reason) -> Step["Turn"]:
        """Ends the game for a single leader. Several leaders roll for it (P5.1, P6.2)."""
        if len(best) == 1:
            return Step(Over(self.rules, coins, reason, best[0]), (), frozenset())
        turn = Position(self.rules, coins, best[0], tied=best)
        return Step(turn, (), frozenset({"P6.2"}))


Turn = Position | Over
