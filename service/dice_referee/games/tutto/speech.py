"""Sentences about Tutto, made of the documents that are answered as JSON."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from dice_referee.games.tutto.cards import (
    BONUSES,
    CARDS,
    CLOVER,
    FIREWORK,
    PLUS_MINUS,
    STOP,
    Card,
)
from dice_referee.games.tutto.deck import Terms, cards_of
from dice_referee.games.tutto.position import Phase, Reason
from dice_referee.games.tutto.rolls import RollStatus
from dice_referee.games.tutto.rulesets import RULESETS, Ruleset
from dice_referee.rulebook.dice import as_dice
from dice_referee.rulebook.game import Document
from dice_referee.voice import Voice, cite, comma_list, say_dice, wrap


def describe_event(voice: Voice, entry: Document) -> list[str]:
    event, player, outcome = entry["event"], entry["player"], entry["outcome"]
    lines = []
    if event["type"] == "draw":
        lines.append(voice.tell("drew", player, card=voice.term(event["card"])))
    elif event["type"] == "roll":
        lines.append(voice.tell("rolled", player, dice=say_dice(as_dice(event["dice"]))))
    effects = [_effect(voice, effect, entry) for effect in entry["effects"]]
    if outcome is None or outcome["reason"] == Reason.BANKED:
        return wrap(lines + effects)
    end = voice.say("ended", outcome["reason"])
    return wrap([*effects, end] if event["type"] == "keep" else [*lines, end, *effects])


def _effect(voice: Voice, effect: Mapping[str, Any], entry: Document) -> str:
    points, player = effect["points"], entry["player"]
    match effect["type"]:
        case "kept":
            key = "earned" if points else "kept"
            return voice.tell(key, player, dice=say_dice(effect["dice"]), points=points)
        case "bonus":
            return voice.say("bonus", card=voice.term(effect["card"]), points=points)
        case "deducted":
            if effect["player"] is None:
                return _leaders_lose(voice, points, entry["rules"])
            return voice.tell("deducted", effect["player"], points=points)
        case "written" if entry["event"]["type"] == "bank":
            return voice.tell("banked", player, points=points)
        case "written":
            return voice.say("written", points=points)
        case _:
            return voice.say("lost", points=points)


def describe_end(voice: Voice, turn: Document) -> list[str]:
    return [voice.tell("won", turn.get("player"))] if turn["outcome"]["wins_game"] else []


def table(voice: Voice, turn: Document, player: int | None, fresh: bool) -> list[str]:
    """Describes the table, and the promise of a new card or of a card that forbids banking.

    ``fresh``: the last card or roll was already announced.
    """
    last = [voice.say("last-round")] if turn.get("last_round") and not fresh else []
    if turn["phase"] == Phase.DRAW:
        return last
    card = CARDS[turn["card"]]
    if fresh:
        return promise(voice, turn) if turn["phase"] == Phase.ROLL else []
    lines = [*last, f"{voice.term(card.id)}."]
    if "keeps" in turn:
        lines.append(voice.say("aside", keeps=comma_list(map(say_dice, turn["keeps"]))))
    if "roll" in turn:
        lines.append(voice.tell("rolled", player, dice=say_dice(turn["roll"])))
    return wrap(lines) if _terms(turn).may_stop else [*wrap(lines), *promise(voice, turn)]


def promise(voice: Voice, turn: Document) -> list[str]:
    terms = _terms(turn)
    card = terms.card
    if card in BONUSES:
        kind = "bonus"
    elif terms.doubles is not None:
        kind = f"{card.id}-{terms.doubles}"
    elif card is PLUS_MINUS:
        kind = f"plus-minus-{'exactly-' if terms.replaces else ''}{_rules(turn).score_floor}"
    else:
        kind = "clover-again" if card is CLOVER and turn.get("tuttos") else card.id
    ends = [voice.say("promise", f"{card.id}-ends")] if terms.ends_turn else []
    return [voice.say("promise", kind, prize=terms.prize), *ends]


def _terms(turn: Document) -> Terms:
    return cards_of(_rules(turn)).terms[CARDS[turn["card"]]]


def _rules(turn: Document) -> Ruleset:
    return RULESETS[turn["ruleset"]].house(turn["options"])


def verdict(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    stake = turn.get("turn_points", 0)
    kind = "safe" if turn.get("card") == FIREWORK.id else "risk"
    at_stake = [voice.say("stake", kind, points=stake)] if stake else []
    if answer is None:
        return at_stake
    if answer["status"] == RollStatus.NIETE:
        outcome = answer["next"]["outcome"]
        points = outcome["points"] or stake
        paid = voice.say("written" if outcome["points"] else "lost", points=points)
        return wrap([voice.say("ended", outcome["reason"]), *([paid] if points else [])])
    keep = max(answer["legal_keeps"], key=lambda legal: len(legal["dice"]))
    rules = cite(line["rule"] for line in keep["lines"])
    key = "scoring" if CARDS[turn["card"]].dice_earn else "can-keep"
    parts, dice = comma_list(_parts(voice, keep["lines"])), say_dice(keep["dice"])
    number = len(keep["dice"])
    lines = [voice.count(key, number, parts=parts, dice=dice, rules=rules)]
    if answer["status"] == RollStatus.TUTTO:
        lines.append(voice.count("all-six", number))
    return lines + at_stake


def _parts(voice: Voice, lines: list[Mapping[str, Any]]) -> list[str]:
    parts = []
    for _, equal in groupby(lines, itemgetter("kind", "dice")):
        same = list(equal)
        dice = [die for line in same for die in line["dice"]]
        points = sum(line["points"] for line in same)
        parts.append(voice.say("scoring-part", dice=say_dice(dice), points=points))
    return parts


def choices(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    """Lists the choices by points, then by dice left. The order is not advice.

    Where the card alone pays, more dice set aside come first.
    """
    if answer is None:
        if turn["phase"] == Phase.DRAW:
            return [voice.say("draw")]
        return [voice.count("roll", turn["dice_to_roll"])]
    card, rules = CARDS[turn["card"]], answer["rules"]

    def worth(keep: Mapping[str, Any]) -> tuple[int, int]:
        left = keep["next"].get("dice_to_roll", 0) if card.dice_earn else len(keep["dice"])
        return keep["turn_points"], left

    ways = [(keep, _keep(voice, card, keep, rules)) for keep in answer["legal_keeps"]]
    if answer["bank"] is not None:
        ways.append((answer["bank"], _bank(voice, answer["bank"], rules)))
    return [sentence for _, sentence in sorted(ways, key=lambda way: worth(way[0]), reverse=True)]


def _keep(voice: Voice, card: Card, keep: Mapping[str, Any], rules: Sequence[str]) -> str:
    following, dice, points = keep["next"], say_dice(keep["dice"]), keep["turn_points"]
    if following["phase"] == Phase.OVER:
        kind = "win" if following["outcome"]["wins_game"] else "plain"
        sentence = voice.say("keep-end", kind, dice=dice, points=points)
    elif following["phase"] == Phase.DRAW:
        sentence = voice.say("keep-draw", dice=dice, points=points)
    else:
        # Where the card alone pays, a keep does not change the stake. A firework writes
        # all points of the turn at its bust, so no points are at stake (T5.2).
        earning = "safe" if card is FIREWORK else "stake"
        kind = earning if card.dice_earn else "plain"
        key, n = "keep-again" if keep["tutto"] else "keep-roll", following["dice_to_roll"]
        sentence = voice.say(key, kind, dice=dice, n=n, roll=voice.count("dice", n), points=points)
    return " ".join([sentence, *_costs(voice, keep["effects"], rules)])


def _bank(voice: Voice, bank: Mapping[str, Any], rules: Sequence[str]) -> str:
    kind = "win" if bank["next"]["outcome"]["wins_game"] else "plain"
    sentence = voice.say("bank", kind, points=bank["turn_points"])
    return " ".join([sentence, *_costs(voice, bank["effects"], rules)])


def _costs(voice: Voice, effects: Sequence[Mapping[str, Any]], rules: Sequence[str]) -> list[str]:
    lost: dict[int, int] = {}
    for effect in effects:
        if effect["player"] is None:
            # Without a sheet the leaders are unknown, and all deductions are equal.
            sentence = _leaders_lose(voice, effect["points"], rules)
            times = [voice.count("again", len(effects))] if len(effects) > 1 else []
            return [sentence, *times]
        lost[effect["player"]] = lost.get(effect["player"], 0) + effect["points"]
    losers: dict[int, list[int]] = {}
    for player, points in lost.items():
        losers.setdefault(points, []).append(player)
    return [
        voice.count("costs", len(players), names=voice.all_names(players), points=points)
        for points, players in losers.items()
    ]


def _leaders_lose(voice: Voice, points: int, rules: Sequence[str]) -> str:
    return voice.say("deducted", "leaders-floor" if "T5.5e" in rules else "leaders", points=points)


def odds(voice: Voice, turn: Document, answer: Document) -> tuple[list[str], list[str]]:
    chance = answer["aim"] != "points"
    # A clover writes nothing (T5.7): its value is its win.
    clover = turn.get("card") == CLOVER.id and answer["aim"] != "win"
    aim = f"{answer['aim']}-clover" if clover else answer["aim"]
    heading = voice.say("odds", aim, reach=answer["reach"])
    # Equal values differ by rounding errors, which would decide their order.
    best = sorted(answer["choices"], key=lambda choice: -round(choice["value"], 9))
    ways = [
        _describe_choice(voice, choice, _value(voice, choice["value"], chance)) for choice in best
    ]
    if answer["roll"] is not None:
        roll, value = answer["roll"], _value(voice, answer["roll"]["value"], chance)
        ways = [voice.say("odds-roll", value=value, **_risks(voice, roll))]
    elif not ways:
        stop = next(card["chance"]["value"] for card in answer["cards"] if card["card"] == STOP.id)
        value = _value(voice, answer["value"], chance)
        ways = [voice.say("odds-draw", value=value, stop=voice.percent(stop))]
    return [heading], ways


def _value(voice: Voice, value: float, chance: bool) -> str:
    return voice.percent(value) if chance else voice.number(round(value))


def _risks(voice: Voice, roll: Mapping[str, Any]) -> dict[str, str]:
    return {
        "roll": voice.count("dice", roll["dice"]),
        "bust": voice.percent(roll["niete"]["value"]),
        "tutto": voice.percent(roll["tutto"]["value"]),
    }


def _describe_choice(voice: Voice, choice: Mapping[str, Any], value: str) -> str:
    if choice["event"]["type"] == "bank":
        return voice.say("odds-bank", value=value)
    dice, roll = say_dice(choice["event"]["dice"]), choice["next_roll"]
    kind, risks = ("roll", _risks(voice, roll)) if roll else ("plain", {})
    return voice.say("odds-keep", kind, dice=dice, value=value, **risks)
