"""Answers as JSON text, put together from prepared pieces.

A turn is written by one function for every answer; what a keep of given dice looks like does not
depend on the position, so it is written once and kept.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

import orjson

from service.games.tutto.cards import STRAIGHT, Card
from service.games.tutto.events import Bonus, Effect, Kept, Lost, Written
from service.games.tutto.leaders import Deducted
from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ruleset
from service.games.tutto.scoring import faces, score
from service.games.tutto.turn import Over, Stake, Status, Turn, Verdict, adjudicate, go_on
from service.rules.dice import Dice
from service.rules.game import Adjudication


def _text(document: Any) -> str:
    return orjson.dumps(document).decode()


def adjudication(position: Position) -> Adjudication:
    """What the roll of this position allows, as JSON."""
    verdict = adjudicate(position)
    legal = ",".join(_stake_texts(position, verdict))
    bank, next_turn = "null", "null"
    if verdict.end is not None:
        next_turn = turn_text(verdict.end)
        if verdict.bank is not None and position.card is not None:
            bank = _stake_text(position.card, verdict.bank, next_turn)
            next_turn = "null"
    return Adjudication(
        verdict.status,
        f'{{{_named(position.rules)},"status":"{verdict.status}","legal_keeps":[{legal}],'
        f'"bank":{bank},"next":{next_turn},"rules":{_rules_text(verdict.rules)}}}',
    )


def _stake_texts(position: Position, verdict: Verdict) -> Iterable[str]:
    card = position.card
    if card is None or verdict.status is Status.NIETE:
        return
    # Where most keeps lead to differs in two places only: the dice added and how many are left.
    kept = "".join([f"{dice_text(dice)}," for dice in position.keeps])
    before = f'{_turn_head(position.rules)},"phase":"roll","card":"{card.id}","keeps":[{kept}'
    after, left = _turn_tail(position), position.dice_to_roll
    for stake in verdict.stakes:
        dice = stake.keep.dice
        if stake.tutto:
            following = turn_text(go_on(position, stake))
        else:
            following = f'{before}{dice_text(dice)}],"dice_to_roll":{left - len(dice)}{after}'
        yield _stake_text(card, stake, following)


def _stake_text(card: Card, stake: Stake, following: str) -> str:
    head, lines = _keep_text(card, stake.keep.dice)
    taken = effects_text(stake.deducted) if stake.deducted else "[]"
    return (
        f'{head}{stake.bonus},"turn_points":{stake.turn_points},'
        f'"tutto":{"true" if stake.tutto else "false"},{lines}{taken},"next":{following}}}'
    )


@cache
def _keep_text(card: Card, dice: Dice) -> tuple[str, str]:
    """The parts of a keep before its bonus and between ``tutto`` and its effects."""
    keep = faces(dice) if card is STRAIGHT else score(dice, card.dice_earn)
    assert keep is not None, "only legal keeps are written"
    lines = [line._asdict() for line in keep.lines]
    return (
        f'{{"dice":{dice_text(dice)},"points":{keep.points},"bonus":',
        f'"lines":{_text(lines)},"effects":',
    )


def turn_text(turn: Turn) -> str:
    """Where a turn stands: a position to post back, defaults left out, or how it ended."""
    if isinstance(turn, Over):
        wins = _text(turn.wins_game)
        return (
            f'{_turn_head(turn.rules)},"phase":"over"{_sheet_text(turn.scores, turn.player)},'
            f'"outcome":{{"reason":"{turn.reason}","points":{turn.points},"wins_game":{wins}}}}}'
        )
    parts = [f'{_turn_head(turn.rules)},"phase":"{turn.phase}"']
    if turn.card is not None:
        parts.append(f',"card":"{turn.card.id}"')
    if turn.keeps:
        parts.append(f',"keeps":[{",".join(map(dice_text, turn.keeps))}]')
    if turn.roll is not None:
        parts.append(f',"roll":{dice_text(turn.roll)}')
    parts.append(f',"dice_to_roll":{turn.dice_to_roll}{_turn_tail(turn)}')
    return "".join(parts)


def _turn_tail(position: Position) -> str:
    """What stands behind ``dice_to_roll`` in a running turn."""
    text = f',"carried":{position.carried}' if position.carried else ""
    if position.tuttos:
        text += f',"tuttos":{position.tuttos}'
    if position.pending:
        text += f',"pending_deductions":{position.pending}'
    return f"{text}{_sheet_text(position.scores, position.player)}}}"


def _sheet_text(scores: tuple[int, ...] | None, player: int | None) -> str:
    if scores is None:
        return ""
    return f',"scores":[{",".join(map(str, scores))}],"player":{player}'


@cache
def dice_text(dice: Dice) -> str:
    """Dice as JSON."""
    return f"[{','.join(map(str, dice))}]"


@lru_cache(maxsize=1024)
def _named(rules: Ruleset) -> str:
    """What every answer begins with: the rules that it was given under."""
    options = _text(rules.house_rules)
    return f'"ruleset":"{rules.id}","ruleset_hash":"{rules.hash}","options":{options}'


@lru_cache(maxsize=1024)
def _turn_head(rules: Ruleset) -> str:
    return f'{{"ruleset":"{rules.id}","options":{_text(rules.house_rules)}'


@lru_cache(maxsize=4096)
def _rules_text(rules: frozenset[str]) -> str:
    return _text(sorted(rules))


def named(rules: Ruleset) -> dict[str, Any]:
    """What every answer that is no text begins with."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


def turn_fragment(turn: Turn | None) -> orjson.Fragment | None:
    """A turn inside an answer that is written as a document."""
    return None if turn is None else orjson.Fragment(turn_text(turn))


def effects_text(effects: tuple[Deducted, ...]) -> str:
    """Deductions as JSON."""
    return _text([effect_document(effect) for effect in effects])


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
