"""The four events of a turn: draw, roll, keep and bank."""

from collections.abc import Iterator
from typing import NamedTuple

from dice_referee.games.tutto.cards import FIREWORK, PLUS_MINUS, STOP, STRAIGHT, Card
from dice_referee.games.tutto.leaders import Deducted, decided_by_turn, leads, sits_out
from dice_referee.games.tutto.position import KeepResult, Over, Phase, Position, Reason, Turn
from dice_referee.games.tutto.possible import unfit_faces, unscoring_dice
from dice_referee.games.tutto.scoring import Keep, scoring_of
from dice_referee.rulebook.dice import Dice, as_dice, not_among, times_wanted
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Step


class Draw(NamedTuple):
    card: Card | None = None
    """Card turned up, or None before the draw."""

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        """Yields the reason why the player cannot draw (T4.2)."""
        if position.phase is not Phase.DRAW:
            yield Finding("draw-not-due", "T4.2", at, {"due": position.phase.value})

    def play(self, position: Position) -> Step[Turn]:
        """Returns a card to roll on, or the end of the turn: a stop, or a leader's Plus/Minus."""
        card, rules, carried = self.card, position.rules, position.carried
        sheet = (rules, position.scores, position.player, carried)
        leading = card is PLUS_MINUS and leads(*sheet)
        if card is STOP:
            over = position.finish(Reason.STOP, 0)
            cites = {"T4.2", "T5.1", "T3.3"} if carried else {"T4.2", "T5.1"}
        elif card is PLUS_MINUS and sits_out(*sheet):
            cites = {"T4.2", "T5.5b", "T5.5f"} if carried else {"T4.2", "T5.5b"}
            if decided_by_turn(*sheet):
                cites.add("T5.5g")
            if rules.sits_out_loses_carried:
                over = position.finish(Reason.SAT_OUT, 0)
            else:
                over = position.settle(Reason.SAT_OUT, carried)
        else:
            # The rule under which leaders sit out also lets this leader play Plus/Minus.
            cites = {"T4.2", "T5.5b"} if leading else {"T4.2"}
            if leading and decided_by_turn(*sheet):
                cites.add("T5.5g")
            return Step(position._replace(card=card), (), frozenset(cites))
        return _end(position, over, frozenset(cites))


class Roll(NamedTuple):
    """Roll of all dice that are not set aside (T1.1)."""

    dice: Dice | None = None

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        phase, due = position.phase, position.dice_to_roll
        if phase is not Phase.ROLL:
            rule = "T4.2" if phase is Phase.DRAW else "T2.3"
            yield Finding("roll-not-due", rule, at, {"due": phase.value})
        elif self.dice is not None and len(self.dice) != due:
            params = {"expected": due, "actual": len(self.dice)}
            yield Finding("wrong-number-of-dice", "T1.1", f"{at}/dice", params)

    def play(self, position: Position) -> Step[Turn]:
        assert self.dice is not None, "a roll that is played has fallen"
        rolled = position._replace(roll=as_dice(self.dice))
        result = rolled.roll_result
        if result.can.most is not None:
            return Step(rolled, (), frozenset({"T1.1"}))
        return _end(rolled, rolled.niete(), result.rules | {"T1.1"})


class SetAside(NamedTuple):
    """Keep of these dice without banking (the event ``keep``, T2.5)."""

    dice: Dice
    """Faces in the order of the request, so that findings can point at them."""

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        if position.phase is not Phase.KEEP:
            yield Finding("keep-not-due", "T2.2", at, {"due": position.phase.value})
        elif self._keep_in(position) is None:
            yield from _unkeepable(position, self.dice, f"{at}/dice")

    def play(self, position: Position) -> Step[Turn]:
        """Returns the turn after the keep: dice left to roll, or after a Tutto six dice or a draw.

        The second Tutto on a clover ends the turn and the game (T5.7). A Plus/Minus Tutto may end
        the turn (T5.5i).
        """
        keep = self._keep_in(position)
        assert keep is not None, "a keep that is played is legal"
        result = position.keep_result(keep, stop=False)
        turn, effects = position.go_on(result), _effects_of_keep(position, result)
        cites = _rules_of_keep(position, result) | {"T2.2"}
        if isinstance(turn, Over):
            return _end(position, turn, cites).after(effects)
        return Step(turn, (*effects, *result.due.taken), cites)

    def _keep_in(self, position: Position) -> Keep | None:
        dice = as_dice(self.dice)
        for keep in position.roll_result.can.keeps:
            if keep.dice == dice:
                return keep
        return None


class Bank(NamedTuple):
    """Banking: the player stops, and every scoring die of the roll counts (T2.5)."""

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        phase, card = position.phase, position.card
        if phase is not Phase.KEEP:
            yield Finding("bank-not-due", "T2.5", at, {"due": phase.value})
        barred = "bank" not in position.legal_events
        if card is not None and barred and (phase is Phase.KEEP or not position.terms.may_stop):
            yield Finding("cannot-stop", card.rule, at, {"card": card.id})

    def play(self, position: Position) -> Step[Turn]:
        most = position.roll_result.can.most
        assert most is not None, "something of the roll can be set aside"
        result = position.keep_result(most, stop=True)
        cites = _rules_of_keep(position, result) | {"T2.5"}
        step = _end(position, position.bank(result), cites)
        return step.after(_effects_of_keep(position, result))


Event = Draw | Roll | SetAside | Bank


class Kept(NamedTuple):
    """Effect of a keep: the dice set aside, and the points that they earn under the card."""

    dice: Dice
    points: int
    type: str = "kept"


class Bonus(NamedTuple):
    card: str
    points: int
    type: str = "bonus"


class Written(NamedTuple):
    player: int | None
    points: int
    type: str = "written"


class Lost(NamedTuple):
    """Points that the turn held and loses (T3.3, T5.5h)."""

    points: int
    type: str = "lost"


Effect = Kept | Bonus | Deducted | Written | Lost


def _unkeepable(position: Position, dice: Dice, at: str) -> Iterator[Finding]:
    if not dice:
        yield Finding("nothing-set-aside", "T2.2", at)
    roll, scoring = position.roll or (), scoring_of(position.rules)
    missing = dict(not_among(roll, dice))
    for i, die in missing.items():
        times = times_wanted(die, roll, dice)
        yield Finding("not-in-roll", "T2.2", f"{at}/{i}", {"die": die, "times": times})
    rolled = tuple((i, die) for i, die in enumerate(dice) if i not in missing)
    aside = tuple(die for keep in position.aside.keeps for die in keep)
    if position.card is STRAIGHT:
        yield from unfit_faces(rolled, at, aside)
        return
    yield from unscoring_dice(scoring, roll, rolled, at, aside)
    most = position.roll_result.can.most
    forced = position.card is FIREWORK and scoring.firework_takes_all
    if forced and most is not None:
        left = tuple(die for _, die in not_among([die for _, die in rolled], most.dice))
        if left:
            yield Finding("scoring-dice-left", "T5.2", at, {"dice": left})


def _end(position: Position, over: Over, cites: frozenset[str]) -> Step[Turn]:
    effects: tuple[Effect, ...] = over.due.taken
    if over.points:
        effects += (Written(over.player, over.points),)
    elif position.earned:
        effects += (Lost(position.earned),)
    return Step(over, effects, position.rules_of_end(over, cites))


def _rules_of_keep(position: Position, result: KeepResult) -> frozenset[str]:
    cites = result.keep.rules
    if result.tutto:
        cites |= position.terms.rules
    if result.tutto and position.card is PLUS_MINUS:
        cites |= {"T5.5d"}
    if result.lost:
        cites |= {"T5.5h"}
    return cites | result.due.rules


def _effects_of_keep(position: Position, result: KeepResult) -> tuple[Effect, ...]:
    effects: list[Effect] = [Kept(result.keep.dice, result.keep.points)]
    if result.bonus and position.card is not None:
        effects.append(Bonus(position.card.id, result.bonus))
    if result.lost:
        effects.append(Lost(result.lost))
    return tuple(effects)
