"""The four things that happen in a turn: what speaks against each, and what it leads to."""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from service.games.tutto.cards import FIREWORK, PLUS_MINUS, STOP, STRAIGHT, Card
from service.games.tutto.leaders import Deducted, sits_out
from service.games.tutto.position import Phase, Position, unfit_faces, unscoring_dice
from service.games.tutto.rulesets import FireworkKeep
from service.games.tutto.turn import (
    Over,
    Reason,
    Stake,
    Turn,
    bank,
    finish,
    go_on,
    niete,
    prospect,
    rules_of_deduction,
    rules_of_end,
    settle,
    weigh,
)
from service.rules.dice import Dice, as_dice
from service.rules.verdict import Finding


class Draw(NamedTuple):
    """The next card is turned up, a stop included."""

    card: Card | None
    """None: not turned up yet."""


class Roll(NamedTuple):
    """All dice that are not set aside are thrown."""

    dice: Dice | None
    """None: not thrown yet."""


class SetAside(NamedTuple):
    """These dice of the roll are set aside, and the player goes on (a ``keep``, T2.5)."""

    dice: Dice
    """As told, in any order: findings point at them."""


class Bank(NamedTuple):
    """The player stops; every scoring die of the roll counts (T2.5)."""


Event = Draw | Roll | SetAside | Bank


class Kept(NamedTuple):
    """Dice that were set aside, and what they earned under the card."""

    dice: Dice
    points: int


class Bonus(NamedTuple):
    """What the card added at a Tutto."""

    card: Card
    points: int


class Written(NamedTuple):
    """Points that go to the player's score."""

    player: int | None
    points: int


class Lost(NamedTuple):
    """Points that the turn held and that nobody gets."""

    points: int


Effect = Kept | Bonus | Deducted | Written | Lost


class Step(NamedTuple):
    """What an event leads to."""

    turn: Turn
    effects: tuple[Effect, ...]
    rules: frozenset[str]


def legal_events(turn: Turn) -> tuple[str, ...]:
    """The types of event that are legal here, in alphabetical order; none when the turn is over."""
    if isinstance(turn, Over):
        return ()
    match turn.phase:
        case Phase.KEEP:
            seen = prospect(turn)
            if seen.can.most is None:
                return ()
            return ("bank", "keep") if seen.banks else ("keep",)
        case phase:
            return (phase.value,)


def objections(position: Position, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal here; none if it is legal. ``at`` points at it.

    Of one whose dice have not fallen, only what does not depend on them is judged.
    """
    return tuple(_objections(position, event, at))


def _objections(position: Position, event: Event, at: str) -> Iterator[Finding]:
    phase, card = position.phase, position.card
    if phase is Phase.KEEP and card is not None and prospect(position).can.most is None:
        rule = card.rule if card in (FIREWORK, STRAIGHT) else "T2.1"
        yield Finding("turn-over", rule, at)
        return
    here = {"phase": phase.value}
    match event:
        case Draw():
            if phase is not Phase.DRAW:
                yield Finding("draw-not-due", "T4.2", at, here)
        case Roll(dice):
            if phase is not Phase.ROLL:
                rule = "T4.2" if phase is Phase.DRAW else "T2.3"
                yield Finding("roll-not-due", rule, at, here)
            elif dice is not None and len(dice) != position.dice_to_roll:
                params = {"expected": position.dice_to_roll, "actual": len(dice)}
                yield Finding("wrong-number-of-dice", "T1.1", f"{at}/dice", params)
        case SetAside(dice):
            if phase is not Phase.KEEP:
                yield Finding("keep-not-due", "T2.2", at, here)
            else:
                yield from _unkeepable(position, dice, f"{at}/dice")
        case Bank():
            if phase is not Phase.KEEP:
                yield Finding("bank-not-due", "T2.5", at, here)
            barred = "bank" not in legal_events(position)
            if card is not None and barred and (phase is Phase.KEEP or not card.may_stop):
                yield Finding("cannot-stop", card.rule, at, {"card": card.id})
        case _:
            assert_never(event)


def _unkeepable(position: Position, dice: Dice, at: str) -> Iterator[Finding]:
    """Every reason why these dice of the roll cannot be set aside."""
    if not dice:
        yield Finding("nothing-set-aside", "T2.2", at)
    left, thrown = list(position.roll or ()), []
    for i, die in enumerate(dice):
        if die in left:
            left.remove(die)
            thrown.append((i, die))
        else:
            yield Finding("not-in-roll", "T2.2", f"{at}/{i}", {"die": die})
    aside = tuple(die for keep in position.aside.keeps for die in keep)
    if position.card is STRAIGHT:
        yield from unfit_faces(tuple(thrown), at, aside)
        return
    yield from unscoring_dice(tuple(thrown), at, aside)
    duty = prospect(position).can.most
    forced = position.card is FIREWORK and position.rules.firework_keep is FireworkKeep.ALL
    if forced and duty is not None:
        missed = list(duty.dice)
        for _, die in thrown:
            if die in missed:
                missed.remove(die)
        if missed:
            yield Finding("scoring-dice-left", "T5.2", at, {"dice": tuple(missed)})


def play(position: Position, event: Event) -> Step:
    """What the event leads to. It is legal: ``objections`` has nothing against it."""
    match event:
        case Draw(card):
            assert card is not None, "a card that is played has been turned up"
            return _draw(position, card)
        case Roll(dice):
            assert dice is not None, "a roll that is played has fallen"
            rolled = position._replace(roll=as_dice(dice))
            seen = prospect(rolled)
            if seen.can.most is not None:
                return Step(rolled, (), frozenset({"T1.1"}))
            over = niete(rolled)
            cites = rules_of_end(position, over, seen.rules | {"T1.1"})
            return Step(over, _effects_of_end(rolled, over), cites)
        case SetAside(dice):
            return _set_aside(position, as_dice(dice))
        case Bank():
            return _bank(position)
        case _:
            assert_never(event)


def _draw(position: Position, card: Card) -> Step:
    drawn, cites = position._replace(card=card), {"T4.2"}
    if card is STOP:
        over = finish(position, Reason.STOP, 0, position.scores)
        cites |= {"T5.1", "T3.3"} if position.carried else {"T5.1"}
    elif card is PLUS_MINUS and sits_out(position.rules, position.scores, position.player):
        cites |= {"T5.5b", "T5.5f"} if position.carried else {"T5.5b"}
        if position.rules.sits_out_loses_carried:
            over = finish(position, Reason.SAT_OUT, 0, position.scores)
        else:
            over = settle(position, Reason.SAT_OUT, position.carried)
    else:
        return Step(drawn, (), frozenset(cites))
    return Step(
        over, _effects_of_end(position, over), rules_of_end(position, over, frozenset(cites))
    )


def _set_aside(position: Position, dice: Dice) -> Step:
    stake = _stake(position, dice, stop=False)
    turn = go_on(position, stake)
    effects = _effects_of_keep(position, stake)
    cites = _rules_of_stake(position, stake) | {"T2.2"}
    if isinstance(turn, Over):
        effects += _effects_of_end(position, turn)
        cites = rules_of_end(position, turn, cites)
    return Step(turn, effects, cites)


def _bank(position: Position) -> Step:
    most = prospect(position).can.most
    stake = _stake(position, most.dice if most else (), stop=True)
    over = bank(position, stake)
    effects = _effects_of_keep(position, stake)
    cites = rules_of_end(position, over, _rules_of_stake(position, stake) | {"T2.5"})
    return Step(over, (*effects, Written(over.player, over.points)), cites)


def _stake(position: Position, dice: Dice, *, stop: bool) -> Stake:
    keep = next(keep for keep in prospect(position).can.keeps if keep.dice == dice)
    return weigh(position, keep, stop=stop)


def _rules_of_stake(position: Position, stake: Stake) -> frozenset[str]:
    card, cites = position.card, set(stake.keep.rules)
    if stake.tutto and card is not None:
        cites |= {"T3.1", card.rule} if card.most_tuttos else {"T3.1", "T3.2", card.rule}
    if stake.deducted or (stake.tutto and card is PLUS_MINUS):
        cites |= rules_of_deduction(position.rules)
    return frozenset(cites)


def _effects_of_keep(position: Position, stake: Stake) -> tuple[Effect, ...]:
    effects: list[Effect] = [Kept(stake.keep.dice, stake.keep.points)]
    if stake.bonus and position.card is not None:
        effects.append(Bonus(position.card, stake.bonus))
    return (*effects, *stake.deducted)


def _effects_of_end(position: Position, over: Over) -> tuple[Effect, ...]:
    """What becomes of the turn's points when it ends other than by banking."""
    if over.points:
        return (*over.deducted, Written(over.player, over.points))
    held = position.earned
    return (*over.deducted, Lost(held)) if held else over.deducted
