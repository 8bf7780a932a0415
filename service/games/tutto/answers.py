"""Answers as JSON text.

An adjudication is mostly the same text for the same card and dice. That part, its layout, is
written once and kept; the rest (points of the turn so far, where keeps lead) is filled in.
"""

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson

from service.games.tutto.cards import Card
from service.games.tutto.events import Bonus, Effect, Kept, Lost, Written
from service.games.tutto.game import Table
from service.games.tutto.leaders import Deducted
from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ruleset
from service.games.tutto.scoring import Aside, Keep
from service.games.tutto.turn import Over, Prospect, Turn, adjudicate, go_on
from service.rules.dice import Dice
from service.rules.game import Adjudication, Adjudications

GAP = "\0"
"""Marks a gap in the text of a layout; JSON never holds it."""


def _text(document: Any) -> str:
    return orjson.dumps(document).decode()


def adjudication(position: Position) -> Adjudication:
    """What the roll of this position allows, as JSON."""
    fixed, filled = list[str](), list[str]()
    status = _lay_out(position, fixed, filled)
    return Adjudication(status, _joined(fixed, filled))


def adjudications(positions: Sequence[Position]) -> Adjudications:
    """The same for each of many, written at one go."""
    fixed, filled = list[str](), list[str]()
    statuses = [_lay_out(position, fixed, filled) for position in positions]
    return Adjudications(statuses, _joined(fixed, filled))


def _joined(fixed: list[str], filled: list[str]) -> str:
    """Fixed and filled parts in turn, but for the comma after the last answer."""
    parts = [""] * (2 * len(fixed) - 1)
    parts[::2], parts[1::2] = fixed, filled[:-1]
    return "".join(parts)


def _lay_out(position: Position, fixed: list[str], filled: list[str]) -> str:
    """Add the parts of an answer, and a comma: those of its layout and what stands between them.

    The status is given back.
    """
    seen, earned, tutto, end, cites = adjudicate(position)
    named, head, rolling = _beginnings(position.rules, position.card)
    layout = _layout(seen)
    fixed += layout.fixed
    filled.append(named)
    if layout.points:
        rolling, tail = rolling + _kept_text(position.aside), _turn_tail(position)
        for points in layout.points:
            if points is not None:
                filled += (f"{earned + points}", rolling, tail)
            elif tutto is not None:
                bonus, effects = f"{tutto.bonus}", _effects_text(tutto.deducted)
                following = turn_text(go_on(position, tutto))
                filled += (bonus, f"{tutto.turn_points}", effects, following)
    if end is not None:
        if seen.banks:
            bonus = "0" if tutto is None else f"{tutto.bonus}"
            effects = _effects_text(end.deducted) if end.deducted else "[]"
            filled += (bonus, f"{end.points}", effects)
        filled.append(_over_text(head, end))
    filled += (_rules_text(cites), ",")
    return seen.status


class _Layout(NamedTuple):
    """An answer with gaps wherever it depends on more than the card and the dice."""

    fixed: list[str]
    """The text before, between and after the gaps."""
    points: tuple[int | None, ...]
    """Of each legal keep, what it adds to the turn; None for the one that is a Tutto."""


@cache
def _layout(seen: Prospect) -> _Layout:
    can, left = seen.can, seen.left
    keeps = [
        _rolling_layout(keep, left - len(keep.dice))
        if len(keep.dice) < left
        else _stake_layout(keep, tutto=True)
        for keep in can.keeps
    ]
    bank, end = "null", "null"
    if can.most is None:
        end = GAP
    elif seen.banks:
        bank = _stake_layout(can.most, tutto=seen.tutto)
    text = (
        f'{{{GAP},"status":"{seen.status}","legal_keeps":[{",".join(keeps)}],'
        f'"bank":{bank},"next":{end},"rules":{GAP}}}'
    )
    adds = tuple(keep.points if len(keep.dice) < left else None for keep in can.keeps)
    # Layouts have most of their text in common: one copy of each part will do.
    return _Layout([sys.intern(part) for part in text.split(GAP)], adds)


def _rolling_layout(keep: Keep, left: int) -> str:
    """A keep that leaves dice to roll: turn points, and the turn before and after its dice."""
    dice = dice_text(keep.dice)
    return (
        f'{{"dice":{dice},"points":{keep.points},"bonus":0,"turn_points":{GAP},"tutto":false,'
        f'"lines":{_lines_text(keep)},"effects":[],"next":{GAP}{dice}],"dice_to_roll":{left}{GAP}}}'
    )


def _stake_layout(keep: Keep, *, tutto: bool) -> str:
    """A keep that does more: its bonus and its effects, and whatever turn it leads to."""
    return (
        f'{{"dice":{dice_text(keep.dice)},"points":{keep.points},"bonus":{GAP},"turn_points":{GAP},'
        f'"tutto":{_text(tutto)},"lines":{_lines_text(keep)},"effects":{GAP},"next":{GAP}}}'
    )


@lru_cache(maxsize=1024)
def _effects_text(effects: tuple[Deducted, ...]) -> str:
    return _text([effect_document(effect) for effect in effects])


def _lines_text(keep: Keep) -> str:
    return _text([line._asdict() for line in keep.lines])


def turn_text(turn: Turn) -> str:
    """Where a turn stands: a position to post back, defaults left out, or how it ended."""
    _, head = _rules_told(turn.rules)
    if isinstance(turn, Over):
        return _over_text(head, turn)
    parts = [f'{head},"phase":"{turn.phase}"']
    if turn.card is not None:
        parts.append(f',"card":"{turn.card.id}"')
    if turn.aside.keeps:
        parts.append(f',"keeps":[{",".join(map(dice_text, turn.aside.keeps))}]')
    if turn.roll is not None:
        parts.append(f',"roll":{dice_text(turn.roll)}')
    parts.append(f',"dice_to_roll":{turn.dice_to_roll}{_turn_tail(turn)}')
    return "".join(parts)


def _over_text(head: str, over: Over) -> str:
    _, reason, points, wins_game, scores, player, _ = over
    sheet = "" if scores is None else _sheet_text(scores, player)
    return (
        f'{head},"phase":"over"{sheet},"outcome":'
        f'{{"reason":"{reason!s}","points":{points},"wins_game":{_JSON[wins_game]}}}}}'
    )


def _turn_tail(position: Position) -> str:
    """What stands behind ``dice_to_roll`` in a running turn."""
    _, _, _, _, carried, tuttos, pending, scores, player = position
    text = f',"carried":{carried}' if carried else ""
    if tuttos:
        text += f',"tuttos":{tuttos}'
    if pending:
        text += f',"pending_deductions":{pending}'
    return f"{text}}}" if scores is None else f"{text}{_sheet_text(scores, player)}}}"


def _sheet_text(scores: tuple[int, ...], player: int | None) -> str:
    return f',"scores":{orjson.dumps(scores).decode()},"player":{player}'


_JSON = {True: "true", False: "false", None: "null"}


@cache
def dice_text(dice: Dice) -> str:
    """Dice as JSON."""
    return f"[{','.join(map(str, dice))}]"


@lru_cache(maxsize=8192)
def _kept_text(aside: Aside) -> str:
    """The keeps of a turn, ready for another."""
    return "".join(f"{dice_text(dice)}," for dice in aside.keeps)


@lru_cache(maxsize=1024)
def _beginnings(rules: Ruleset, card: Card | None) -> tuple[str, str, str]:
    """What every answer begins with, every turn in it, and a turn up to its keeps."""
    assert card is not None, "a roll lies on the table, so a card does"
    named, head = _rules_told(rules)
    return named, head, f'{head},"phase":"roll","card":"{card.id}","keeps":['


@lru_cache(maxsize=1024)
def _rules_told(rules: Ruleset) -> tuple[str, str]:
    """What every answer and every turn begins with: the rules that it was given under."""
    options = _text(rules.house_rules)
    return (
        f'"ruleset":"{rules.id}","ruleset_hash":"{rules.hash}","options":{options}',
        f'{{"ruleset":"{rules.id}","options":{options}',
    )


@cache
def _rules_text(rules: frozenset[str]) -> str:
    return _text(sorted(rules))


def turn_document(turn: Turn) -> orjson.Fragment:
    """A turn inside an answer that is written as a document."""
    return orjson.Fragment(turn_text(turn))


def outcome_document(turn: Turn) -> dict[str, Any] | None:
    """How a turn ended; None while it goes on."""
    if not isinstance(turn, Over):
        return None
    outcome: dict[str, Any] = orjson.loads(turn_text(turn))["outcome"]
    return outcome


def sheet_document(turn: Turn) -> dict[str, Any]:
    """The scores after an event."""
    return {"scores": turn.scores}


def table_document(table: Table) -> dict[str, Any]:
    """The scores, now and after every turn."""
    return {"scores": table.scores, "sheet": table.sheet}


def effect_document(effect: Effect) -> dict[str, Any]:
    """What an event did, with its type."""
    match effect:
        case Kept(dice, points):
            return {"type": "kept", "dice": dice, "points": points}
        case Bonus(card, points):
            return {"type": "bonus", "card": card.id, "points": points}
        case Deducted(player, points):
            return {"type": "deducted", "player": player, "points": points}
        case Written(player, points):
            return {"type": "written", "player": player, "points": points}
        case Lost(points):
            return {"type": "lost", "points": points}
