"""The text of adjudications, in prepared pieces: ``documents.py`` says it plainly.

In plain form adjudications take 2.3 to 4.4 times the CPU time (4,000 different positions; more
where positions recur). A test holds the two forms equal.

An adjudication is mostly the same text for the same card and dice. That part, its layout, is made
once and kept; what depends on more (the rules, points of the turn so far, the sheet) fills gaps.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from sys import intern
from typing import Any

import orjson

from service.games.fields import effect_document, ruleset_fields
from service.games.tutto import documents
from service.games.tutto.cards import Card
from service.games.tutto.leaders import Deducted
from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ruleset
from service.games.tutto.scoring import Aside, Keep
from service.games.tutto.turn import Over, RollResult, Verdict, adjudicate, go_on

GAP = "\0"
"""Stands for a gap in the text of a layout; JSON never holds it."""


def adjudications(positions: Iterable[Position]) -> tuple[list[str], bytes]:
    """The status of every roll, and what the rolls allow, with commas between the documents."""
    fixed, filled = list[str](), list[str]()
    statuses = [_add(position, fixed, filled) for position in positions]
    # The pieces in turn, but for the comma behind the last answer.
    pieces = [""] * (2 * len(fixed) - 1)
    pieces[::2], pieces[1::2] = fixed, filled[:-1]
    return statuses, "".join(pieces).encode()


def _add(position: Position, fixed: list[str], filled: list[str]) -> str:
    """Adds an answer and a comma: the text around its gaps, and what fills each; its status."""
    verdict = adjudicate(position)
    result, end, earned = verdict.roll_result, verdict.end, verdict.earned
    named, turn, rolling = _beginnings(position.rules, position.card)
    text, points_of_keeps = _layout(result)
    fixed += text
    filled.append(named)
    if points_of_keeps:
        rolling, tail = rolling + _kept(position.aside), _tail(position)
        for points in points_of_keeps:
            if points is None:
                filled += _tutto(position, verdict)
            else:
                filled += (str(earned + points), rolling, tail)
    if end is not None:
        if result.banks:
            bonus = 0 if verdict.tutto is None else verdict.tutto.bonus
            filled += (f'{bonus},"turn_points":{end.points}', _effects(end.due.taken))
        filled.append(_over(turn, end))
    filled += (_cited(verdict.rules), ",")
    return result.status


@cache
def _layout(result: RollResult) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The text before, between and after the gaps; and what each keep adds to the turn.

    That is None for the keep that is a Tutto: its card decides.
    """
    keeps, bank, following = [], "null", "null"
    points = list[int | None]()
    for keep in result.can.keeps:
        left = result.rolled - len(keep.dice)
        keeps.append(_rolling(keep, left) if left else _ending(keep, tutto=True))
        points.append(keep.points if left else None)
    if result.can.most is None:
        following = GAP
    elif result.banks:
        bank = _ending(result.can.most, tutto=result.tutto)
    text = (
        f'{{{GAP},"status":"{result.status}","legal_keeps":[{",".join(keeps)}],'
        f'"bank":{bank},"next":{following},"rules":{GAP}}}{GAP}'
    )
    # Layouts have much of their text in common: it is there once.
    return tuple(map(intern, text.split(GAP)[:-1])), tuple(points)


def _rolling(keep: Keep, left: int) -> str:
    """A keep that leaves dice to roll. Gaps: the turn's points, its text before and behind."""
    dice = _text(keep.dice)
    return (
        f'{{"dice":{dice},"points":{keep.points},"bonus":0,"turn_points":{GAP},"tutto":false,'
        f'"lines":{_lines(keep)},"effects":[],"next":{GAP}{dice}],"dice_to_roll":{left}{GAP}}}'
    )


def _ending(keep: Keep, *, tutto: bool) -> str:
    """A Tutto, or the keep of a bank. Gaps: bonus and points, the effects, what follows."""
    return (
        f'{{"dice":{_text(keep.dice)},"points":{keep.points},"bonus":{GAP},"tutto":{_JSON[tutto]},'
        f'"lines":{_lines(keep)},"effects":{GAP},"next":{GAP}}}'
    )


def _lines(keep: Keep) -> str:
    return _text([line._asdict() for line in keep.lines])


def _tutto(position: Position, verdict: Verdict) -> tuple[str, str, str]:
    """What fills the gaps of the Tutto."""
    tutto = verdict.tutto
    assert tutto is not None, "a keep of every die is there, so it was weighed"
    following = _text(documents.turn_document(go_on(position, tutto)))
    number = f'{tutto.bonus},"turn_points":{tutto.turn_points}'
    return number, _effects(tutto.due.taken), following


@lru_cache(maxsize=1024)
def _beginnings(rules: Ruleset, card: Card | None) -> tuple[str, str, str]:
    """What an answer begins with, every turn in it, and a turn up to its keeps."""
    assert card is not None, "a roll lies on the table, so a card does"
    named = ruleset_fields(rules)
    text = _text(named)[1:-1]
    del named["ruleset_hash"]
    turn = _text(named)[:-1]
    return text, turn, f'{turn},"phase":"roll","card":"{card.id}","keeps":['


@lru_cache(maxsize=8192)
def _kept(aside: Aside) -> str:
    """The keeps of a turn, ready for another."""
    return "".join(f"{_text(dice)}," for dice in aside.keeps)


@lru_cache(maxsize=1024)
def _effects(effects: tuple[Deducted, ...]) -> str:
    return _text([effect_document(effect) for effect in effects])


@cache
def _cited(rules: frozenset[str]) -> str:
    return _text(sorted(rules))


def _tail(position: Position) -> str:
    """What stands behind ``dice_to_roll`` in a running turn."""
    text = f',"carried":{position.carried}' if position.carried else ""
    if position.tuttos:
        text += f',"tuttos":{position.tuttos}'
    if position.pending_deductions:
        text += f',"pending_deductions":{position.pending_deductions}'
    return f"{text}{_sheet(position)}}}"


def _over(turn: str, over: Over) -> str:
    return (
        f'{turn},"phase":"over"{_sheet(over)},"outcome":{{"reason":"{over.reason}",'
        f'"points":{over.points},"wins_game":{_JSON[over.wins_game]}}}}}'
    )


def _sheet(turn: Position | Over) -> str:
    scores = turn.scores
    return "" if scores is None else f',"scores":{_text(scores)},"player":{turn.player}'


_JSON = {True: "true", False: "false", None: "null"}


def _text(document: Any) -> str:
    return orjson.dumps(document).decode()
