"""The text of an adjudication, in prepared pieces: ``answers.py`` says it plainly.

Batches need it: documents take twice as long. A test holds the two forms equal.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson

from service.games.referee import ruleset_fields
from service.games.tutto import answers
from service.games.tutto.cards import Card
from service.games.tutto.leaders import Deducted
from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ruleset
from service.games.tutto.scoring import Aside, Keep
from service.games.tutto.turn import Over, RollResult, RollStatus, adjudicate, go_on


class KeepText(NamedTuple):
    """The pieces of a keep that never change, in their order."""

    points: int
    start: str
    """Its dice and points, up to the value of ``bonus``, or of ``turn_points`` if dice are left."""
    lines: str
    """From ``tutto`` up to the value of ``effects``, or of ``next`` if dice are left."""
    left: str
    """Its dice once more, among all that are set aside, and how many are left to roll."""


def add_adjudication(position: Position, pieces: list[str]) -> str:
    """Adds the text of all that the roll allows, in pieces, and says the status of the roll."""
    verdict = adjudicate(position)
    result, tutto, end, earned = verdict.roll_result, verdict.tutto, verdict.end, verdict.earned
    named, turn, rolling = _beginnings(position.rules, position.card)
    pieces += ("{", named, _HEADS[result.status])
    if result.can.keeps:
        rolling, tail = rolling + _kept(position.aside), _tail(position)
        for points, start, lines, left in _keeps(result):
            if left:
                pieces += (start, str(earned + points), lines, rolling, left, tail)
            elif tutto is not None:
                following = _text(answers.turn_document(go_on(position, tutto)))
                number = f'{tutto.bonus},"turn_points":{tutto.turn_points}'
                pieces += (start, number, lines, _effects(tutto.due.taken))
                pieces += (',"next":', following, "}")
    pieces.append('],"bank":')
    if end is None:
        pieces.append('null,"next":null')
    elif result.can.most is None:
        pieces += ('null,"next":', _over(turn, end))
    else:
        start, lines = _start_and_lines(result.can.most, result.tutto)
        number = f'{0 if tutto is None else tutto.bonus},"turn_points":{end.points}'
        pieces += (start, number, lines, _effects(end.due.taken))
        pieces += (',"next":', _over(turn, end), '},"next":null')
    pieces += (',"rules":', _cited(verdict.rules), "}")
    return result.status


_HEADS = {status: f',"status":"{status}","legal_keeps":[' for status in RollStatus}


@cache
def _keeps(result: RollResult) -> tuple[KeepText, ...]:
    return tuple(
        _keep(keep, result.rolled - len(keep.dice), "," if i else "")
        for i, keep in enumerate(result.can.keeps)
    )


@cache
def _keep(keep: Keep, left: int, comma: str) -> KeepText:
    start, lines = _start_and_lines(keep, not left)
    if not left:
        return KeepText(keep.points, f"{comma}{start}", lines, "")
    number, following = f'{comma}{start}0,"turn_points":', f'{lines}[],"next":'
    return KeepText(keep.points, number, following, f'{_text(keep.dice)}],"dice_to_roll":{left}')


@cache
def _start_and_lines(keep: Keep, tutto: bool) -> tuple[str, str]:
    lines = _text([line._asdict() for line in keep.lines])
    return (
        f'{{"dice":{_text(keep.dice)},"points":{keep.points},"bonus":',
        f',"tutto":{_JSON[tutto]},"lines":{lines},"effects":',
    )


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
    return _text([answers.effect_document(effect) for effect in effects])


@cache
def _cited(rules: frozenset[str]) -> str:
    return _text(sorted(rules))


def _tail(position: Position) -> str:
    """What stands behind ``dice_to_roll`` in a running turn, to the end of a keep."""
    text = f',"carried":{position.carried}' if position.carried else ""
    if position.tuttos:
        text += f',"tuttos":{position.tuttos}'
    if position.pending:
        text += f',"pending_deductions":{position.pending}'
    sheet = "" if position.scores is None else _sheet(position.scores, position.player)
    return f"{text}{sheet}}}}}"


def _over(turn: str, over: Over) -> str:
    sheet = "" if over.scores is None else _sheet(over.scores, over.player)
    return (
        f'{turn},"phase":"over"{sheet},"outcome":{{"reason":"{over.reason}",'
        f'"points":{over.points},"wins_game":{_JSON[over.wins_game]}}}}}'
    )


def _sheet(scores: tuple[int, ...], player: int | None) -> str:
    return f',"scores":{_text(scores)},"player":{player}'


_JSON = {True: "true", False: "false", None: "null"}


def _text(document: Any) -> str:
    return orjson.dumps(document).decode()
