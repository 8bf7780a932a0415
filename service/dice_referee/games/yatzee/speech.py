"""Sentences about Yatzee, made of the documents that are answered as JSON."""

from collections.abc import Mapping
from typing import Any

from dice_referee.games.yatzee.position import Phase, Reason, RollStatus
from dice_referee.games.yatzee.rulesets import LAST_ROLL
from dice_referee.rulebook.dice import as_dice
from dice_referee.rulebook.game import Document
from dice_referee.voice import MOST_CHOICES, Voice, cite, say_dice, wrap


def describe_event(voice: Voice, entry: Document) -> list[str]:
    event, player = entry["event"], entry["player"]
    if event["type"] != "roll":
        return wrap(_effect(voice, effect, player) for effect in entry["effects"])
    held, dice = as_dice(event.get("held", ())), as_dice(event["dice"])
    key = "held" if held else "rolled"
    return [voice.tell(key, player, held=say_dice(held), dice=say_dice(dice))]


def _effect(voice: Voice, effect: Mapping[str, Any], player: int | None) -> str:
    points = effect["points"]
    if "category" not in effect:
        return voice.say("upper-bonus", points=points)
    key = "wrote" if effect["type"] == Reason.WRITTEN else "struck"
    return voice.tell(key, player, category=voice.term(effect["category"]), points=points)


def describe_end(voice: Voice, turn: Document) -> list[str]:
    return [voice.say("full")] if turn["outcome"]["scorecard_full"] else []


def table(voice: Voice, turn: Document, player: int | None, fresh: bool) -> list[str]:
    if turn["phase"] == Phase.ROLL or (fresh and turn["rolls_made"] == 1):
        return []
    return [
        voice.say("lies", roll=turn["rolls_made"], rolls=LAST_ROLL, dice=say_dice(turn["roll"]))
    ]


def verdict(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    if answer is None:
        return []
    fitting = _writable(answer)
    if answer["status"] == RollStatus.STRIKE_ONLY:
        lines = voice.say("fits", "none")
    else:
        lines = voice.count(
            "fits", len(fitting), rules=cite(category["rule"] for category in fitting)
        )
    totals = answer["totals"]
    sheet = voice.say("sheet", upper=totals["upper"], total=totals["total"])
    return [lines, sheet]


def _writable(answer: Document) -> list[Mapping[str, Any]]:
    return [
        category for category in answer["categories"] if category["open"] and category["satisfied"]
    ]


def choices(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    """Lists the choices: roll on, write by points, and strike if no category is satisfied."""
    if answer is None:
        return [voice.say("roll")]
    ways = []
    if answer["may_roll"]:
        ways.append(voice.say("roll-on", roll=turn["rolls_made"] + 1, rolls=LAST_ROLL))
    before = answer["totals"]["upper_bonus"]
    fitting = sorted(_writable(answer), key=lambda category: -category["points"])
    ways += [_write(voice, category, before) for category in fitting]
    if fitting and not answer["may_roll"]:
        # Before the last roll, players roll on rather than strike. Strikes stay in view.
        ways.insert(MOST_CHOICES - 1, voice.say("may-strike"))
    if not fitting:
        left = [entry["category"] for entry in answer["categories"] if entry["open"]]
        ways += [voice.say("strike", category=voice.term(category)) for category in left]
    return ways


def _write(voice: Voice, entry: Mapping[str, Any], before: int) -> str:
    category, points, bonus = voice.term(entry["category"]), entry["points"], entry["throw_bonus"]
    value, reached = entry["face_value"], entry["totals"]["upper_bonus"] - before
    if reached:
        return voice.say("write", "upper", category=category, points=points, bonus=reached)
    kind = "bonus" if bonus else "plain"
    return voice.say("write", kind, category=category, points=points, value=value, bonus=bonus)


def odds(voice: Voice, turn: Document, answer: Document) -> tuple[list[str], list[str]]:
    """Returns the best choice, and each open category by its gain.

    With the aim `game`: the value of each choice for the rest of the sheet.
    """
    if answer["game"] is not None:
        return _whole_game(voice, answer["game"])
    best = answer["best"]
    category, event = voice.term(best["category"]), best["event"]
    held = say_dice(event.get("held", ()))
    kind = event["type"] if event["type"] != "roll" or held else "roll-all"
    if "roll" not in turn:
        # Every open category promises the same gain.
        kind = "roll-first"
    sentence = voice.say("odds-best", kind, category=category, held=held)
    order = sorted(answer["categories"], key=lambda category: -category["gain"]["value"])
    return [sentence, voice.say("odds")], [_promise(voice, turn, choice) for choice in order]


def _whole_game(voice: Voice, game: Document) -> tuple[list[str], list[str]]:
    if game["best"] is None:
        return [voice.say("game-start", points=_points(voice, game["value"]))], []
    best = game["choices"][game["best"]]
    order = sorted(game["choices"], key=lambda choice: -choice["value"])
    # The first of equal choices is the best. Others follow by their value.
    order.sort(key=lambda choice: choice is not best)
    deed = voice.deed(best["event"])
    lines = [
        voice.say("game-best", deed=deed, points=_points(voice, best["value"])),
        voice.say("game"),
    ]
    return lines, [_worth(voice, choice) for choice in order]


def _points(voice: Voice, value: float) -> str:
    return voice.count("in-points", round(value, 1))


def _worth(voice: Voice, choice: Document) -> str:
    value = voice.number(choice["value"])
    return voice.say("game-choice", deed=voice.deed(choice["event"]), value=value)


def _promise(voice: Voice, turn: Document, entry: Mapping[str, Any]) -> str:
    hold = entry["hold"]
    held = () if hold is None else hold["value"]
    kind = "hold" if held else "plain"
    if held and len(held) == len(turn["roll"]):
        kind = "now"
    category = voice.term(entry["category"])
    return voice.say(
        "odds-category",
        kind,
        category=f"{category[0].upper()}{category[1:]}",
        gain=voice.number(entry["gain"]["value"]),
        value=voice.number(entry["value"]["value"]),
        chance=voice.percent(entry["chance"]["value"]),
        held=say_dice(held),
    )
