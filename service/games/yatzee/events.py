"""The three things that happen in a turn: what speaks against each, and what it leads to."""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from service.games.yatzee import scoring, sheet
from service.games.yatzee.categories import PLACE, Category
from service.games.yatzee.position import Phase, Position
from service.games.yatzee.rulesets import THROWS
from service.games.yatzee.scoring import SIX
from service.games.yatzee.sheet import filled
from service.games.yatzee.turn import Line, Over, Reason, Turn, lines
from service.rules.dice import Dice, as_dice
from service.rules.verdict import Finding


class Throw(NamedTuple):
    """Some dice on the table are held and the others thrown (Y1.1)."""

    held: Dice
    """As told, in any order: findings point at them."""
    dice: Dice | None
    """What the thrown dice show; None: they have not been thrown yet."""


class Write(NamedTuple):
    """The dice are written into a category (Y1.2)."""

    category: Category


class Strike(NamedTuple):
    """A category is struck (Y1.2)."""

    category: Category


Event = Throw | Write | Strike


class Filled(NamedTuple):
    """A category that was written or struck."""

    reason: Reason
    category: Category
    points: int


class UpperBonus(NamedTuple):
    """The upper block has reached its threshold (Y2.2)."""

    points: int


Effect = Filled | UpperBonus


class Step(NamedTuple):
    """What an event leads to."""

    turn: Turn
    effects: tuple[Effect, ...]
    rules: frozenset[str]


def legal_events(turn: Turn) -> tuple[str, ...]:
    """The types of event that are legal here, in alphabetical order; none when the turn is over."""
    if isinstance(turn, Over):
        return ()
    if turn.phase is Phase.THROW:
        return ("throw",)
    legal = ["strike"]
    if turn.may_throw:
        legal.append("throw")
    if any(line.score.dice for line in _lines(turn) if _is_open(turn, line.category)):
        legal.append("write")
    return tuple(legal)


def _is_open(position: Position, category: Category) -> bool:
    return position.scorecard[PLACE[category]] is None


def _lines(position: Position) -> tuple[Line, ...]:
    """What the dice on the table are worth in each category; nothing before the first throw."""
    if position.dice is None or position.throw is None:
        return ()
    return lines(position.rules, position.dice, position.throw)


def objections(position: Position, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal here; none if it is legal. ``at`` points at it.

    Of one whose dice have not fallen, only what does not depend on them is judged.
    """
    return tuple(_objections(position, event, at))


def _objections(position: Position, event: Event, at: str) -> Iterator[Finding]:
    match event:
        case Throw():
            yield from _unthrowable(position, event, at)
        case Write(category):
            if position.phase is not Phase.CHOOSE:
                yield Finding("write-not-due", "Y1.2", at, {"phase": position.phase.value})
            yield from _unfillable(position, category, at)
            rows = _lines(position)
            if rows and not rows[PLACE[category]].score.dice:
                params = {"category": category.value}
                yield Finding("not-satisfied", "Y1.3", f"{at}/category", params)
        case Strike(category):
            if position.phase is not Phase.CHOOSE:
                yield Finding("strike-not-due", "Y1.2", at, {"phase": position.phase.value})
            yield from _unfillable(position, category, at)
        case _:
            assert_never(event)


def _unfillable(position: Position, category: Category, at: str) -> Iterator[Finding]:
    if not _is_open(position, category):
        params = {"category": category.value}
        yield Finding("category-filled", "Y1.2", f"{at}/category", params)


def _unthrowable(position: Position, event: Throw, at: str) -> Iterator[Finding]:
    if not position.may_throw:
        yield Finding("no-throw-left", "Y1.1", at, {"throws": THROWS})
    # Only what lies on the table can be held. Dice that were held before may be thrown (Y1.1).
    table = list(position.dice or ())
    for i, die in enumerate(event.held):
        if die in table:
            table.remove(die)
        else:
            yield Finding("not-on-table", "Y1.1", f"{at}/held/{i}", {"die": die})
    due = SIX - len(event.held)
    if not due:
        yield Finding("nothing-thrown", "Y1.4", f"{at}/held")
    elif event.dice is not None and len(event.dice) != due:
        params = {"expected": due, "actual": len(event.dice)}
        yield Finding("wrong-number-of-dice", "Y1.1", f"{at}/dice", params)


def play(position: Position, event: Event) -> Step:
    """What the event leads to. It is legal: ``objections`` has nothing against it."""
    match event:
        case Throw(held, dice):
            assert dice is not None, "a throw that is played has fallen"
            table = as_dice(held + dice)
            thrown = position._replace(dice=table, throw=(position.throw or 0) + 1)
            return Step(thrown, (), frozenset({"Y1.1"}))
        case Write(category):
            return _fill(position, Reason.WRITTEN, category, _lines(position)[PLACE[category]])
        case Strike(category):
            return _fill(position, Reason.STRUCK, category, None)
        case _:
            assert_never(event)


def _fill(position: Position, reason: Reason, category: Category, line: Line | None) -> Step:
    rules, points = position.rules, 0 if line is None else line.points
    over = Over(rules, reason, category, points, filled(position.scorecard, category, points))
    effects: list[Effect] = [Filled(reason, category, points)]
    cites = {"Y1.2", *_rules_of(position, category, line)}
    before = sheet.totals(rules, position.scorecard).upper_bonus
    reached = sheet.totals(rules, over.scorecard).upper_bonus - before
    if reached:
        effects.append(UpperBonus(reached))
        cites.add("Y2.2")
    if over.scorecard_full:
        cites.add("Y4.1")
    return Step(over, tuple(effects), frozenset(cites))


def _rules_of(position: Position, category: Category, line: Line | None) -> Iterator[str]:
    """The rules that the points rest on; a struck category has none (Y1.3, Y3.1)."""
    if line is None:
        yield "Y1.3"
    else:
        yield category.rule
    if not category.is_upper:
        yield "Y3.1"
    if line is not None and line.throw_bonus and category is Category.CHANCE:
        yield "Y3.4"
    if line is not None and position.dice is not None:
        other = scoring.score(category, position.dice, not position.rules.distinct_faces)
        if other != line.score:
            yield "Y3.3"
