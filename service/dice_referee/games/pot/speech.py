"""Sentences about POT, made of the documents that are answered as JSON."""

from collections.abc import Mapping
from typing import Any

from dice_referee.games.pot.coins import EffectType
from dice_referee.games.pot.position import (
    HELD_FOR_REROLL,
    LAST_ROLL,
    NextRoll,
    Phase,
    RollStatus,
)
from dice_referee.games.pot.scoring import COMBOS, ONES, POT_COMBO, as_dice
from dice_referee.rulebook.game import Document
from dice_referee.voice import Voice, comma_list, say_dice, wrap

_RULES = {combo.id: combo.rule for combo in COMBOS}
_ENDINGS = {ONES.dice: "bust", POT_COMBO.dice: "pot-rolled"}
"""Sentences about dice that end the turn or the round by themselves (P2.2, P2.3)."""


def describe_event(voice: Voice, entry: Document) -> list[str]:
    event, player, effects = entry["event"], entry["player"], list(entry["effects"])
    if event["type"] == "accept":
        lines = [voice.tell("accepted", player)]
    else:
        held, dice = as_dice(event.get("held", ())), as_dice(event["dice"])
        key = "held" if held else "rolled"
        lines = [voice.tell(key, player, held=say_dice(held), dice=say_dice(dice))]
        kinds = [effect["type"] for effect in effects]
        if EffectType.ROLL_PAID in kinds:
            lines.append(_effect(voice, effects.pop(0)))
        fallen = as_dice((*held, *dice))
        if fallen in _ENDINGS and EffectType.PLAYED_OFF not in kinds:
            lines.append(voice.say(_ENDINGS[fallen]))
    return wrap(lines + [_effect(voice, effect) for effect in effects])


def _effect(voice: Voice, effect: Mapping[str, Any]) -> str:
    player, kind = effect.get("player"), effect["type"]
    coins = voice.count("coins", effect.get("coins", 0))
    match kind:
        case EffectType.STAKED:
            return voice.say("staked", coins=coins)
        case EffectType.HANDED_OVER:
            ways = {player: "from-you", effect["to"]: "to-you"}
            names = {"name": voice.name(player or 0), "to": voice.name(effect["to"])}
            return voice.say("handed-over", ways.get(voice.listener, "other"), coins=coins, **names)
        case EffectType.CONTROL_TAKEN | EffectType.PLAYED_OFF:
            return voice.tell(kind, player, sum=effect["sum"])
        case _:
            return voice.tell(kind, player, coins=coins)


def describe_end(voice: Voice, turn: Document) -> list[str]:
    return [voice.tell("won", turn["outcome"]["winner"])]


def table(voice: Voice, turn: Document, player: int | None, fresh: bool) -> list[str]:
    """Describes the dice on the table, but not again after a roll of all three."""
    match turn["phase"]:
        case Phase.CHOOSE if fresh and turn["rolls_made"] == 1:
            return []
        case Phase.CHOOSE:
            dice, roll = say_dice(turn["roll"]), turn["rolls_made"]
            return [voice.say("lies", dice=dice, roll=roll, rolls=LAST_ROLL)]
        case Phase.SUDDEN_DEATH:
            rolled = zip(turn["tied"], turn.get("sums", ()), strict=False)
            sums = [f"{voice.name(player)} {total}" for player, total in rolled]
            tied = comma_list(map(voice.name, turn["tied"]))
            played = [voice.say("played", sums=comma_list(sums))] if sums else []
            return wrap([voice.say("tied", names=tied), *played])
        case _:
            return []


def verdict(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    if turn["phase"] == Phase.SUDDEN_DEATH:
        return []
    coins = voice.count("coins", turn["pot"])
    pot = voice.say("on-pot", "some" if turn["pot"] else "none", coins=coins)
    if answer is None:
        return wrap([pot, _to_beat(voice, turn)])
    if answer["status"] != RollStatus.OPEN:
        lines = [voice.say(_ENDINGS[as_dice(turn["roll"])])]
        return wrap([*lines, *_payments(voice, turn, answer)])
    lines = [voice.say("sum", n=answer["sum"])]
    if answer["combo"] is not None:
        combo = answer["combo"]
        lines.append(voice.say("combo", combo=voice.term(combo), rule=_RULES[combo]))
    return [*wrap(lines), *wrap([pot, _control(voice, turn, answer)])]


def _payments(voice: Voice, turn: Document, answer: Document) -> list[str]:
    player = turn["player"]
    moved = answer["next"]["coins"][player] - turn["coins"][player]
    if answer["status"] == RollStatus.BUST:
        fine = voice.count("coins", -moved)
        return [voice.tell("fine-paid", player, coins=fine)] if moved else []
    lines, bonus = [], moved - turn["pot"]
    if turn["pot"]:
        lines.append(voice.tell("round-won", player, coins=voice.count("coins", turn["pot"])))
    if bonus:
        lines.append(voice.say("combo-bonus", coins=voice.count("coins", bonus)))
    return lines


def _to_beat(voice: Voice, turn: Document) -> str:
    if turn.get("holder") is None:
        return voice.say("free")
    return voice.tell("to-beat", turn["holder"], sum=turn["to_beat"])


def _control(voice: Voice, turn: Document, answer: Document) -> str:
    if answer["beats"] is None:
        return _to_beat(voice, turn)
    if turn.get("holder") is None:
        return voice.say("takes-free", sum=answer["sum"])
    kind = "beats" if answer["beats"] else "does-not-beat"
    holder = voice.name(turn["holder"])
    return voice.say(kind, sum=answer["sum"], to_beat=turn["to_beat"], name=holder)


def choices(voice: Voice, turn: Document, answer: Document | None) -> list[str]:
    """Lists the choices: roll again, then accept, the best-paid reward first."""
    if answer is None:
        return [voice.say("roll", turn["phase"])]
    roll, player = answer["next_roll"], turn["player"]
    offers = []
    if roll is not None:
        kind = NextRoll(roll)
        offers = [voice.say("roll-again", kind, roll=turn["rolls_made"] + 1, rolls=LAST_ROLL)]
    best = sorted(answer["choices"], key=lambda choice: -choice["coins"][player])
    # Rewards that move no coin have the same sentence, whatever players they name.
    return list(dict.fromkeys([*offers, *(_accept(voice, choice, player) for choice in best)]))


def _accept(voice: Voice, choice: Mapping[str, Any], player: int) -> str:
    effects = choice["effects"]
    moves = [
        _move(voice, effect, player) for effect in effects if not _is_for_another(effect, player)
    ]
    payees = [effect["player"] for effect in effects if _is_for_another(effect, player)]
    if payees:
        moves.append(voice.count("payees", len(payees), names=voice.all_names(payees)))
    gains = {"moves": voice.all_of(moves)} if moves else {}
    lines = [voice.say("accept", "coins" if moves else "plain", **gains)]
    if choice["next"]["phase"] == Phase.REROLL:
        lines.append(voice.say("then-reroll", held=say_dice(HELD_FOR_REROLL)))
    return " ".join(lines)


def _is_for_another(effect: Mapping[str, Any], player: int) -> bool:
    """Tells if the bank pays somebody else. The amount, 1 coin, equals the player's (P4.9)."""
    return bool(effect["type"] == EffectType.BANK_PAID and effect["player"] != player)


def _move(voice: Voice, effect: Mapping[str, Any], player: int) -> str:
    coins, giver = voice.count("coins", effect["coins"]), effect["player"]
    if effect["type"] == EffectType.BANK_PAID:
        return voice.say("move", "bank", coins=coins)
    if giver == player:
        return voice.say("move", "to", coins=coins, name=voice.name(effect["to"]))
    return voice.say("move", "from", coins=coins, name=voice.name(giver))


def odds(voice: Voice, turn: Document, answer: Document) -> tuple[list[str], list[str]]:
    """Returns a heading, and a sentence for each choice with its chance or sum.

    Equal sentences are merged.
    """
    choices = answer["choices"]
    result = "sum" if choices[0]["beats"] is None else "beats"
    kind = "win" if answer["aim"] == "win" else result
    to_beat = max(turn["sums"]) if turn.get("sums") else turn.get("to_beat")
    heading = voice.say("odds", kind, to_beat=to_beat)
    ways: dict[str, float] = {}
    for choice in choices:
        worth = choice[kind] if kind == "win" else choice[kind]["value"]
        value = voice.number(worth) if kind == "sum" else voice.percent(worth)
        ways.setdefault(_way(voice, choice, value), worth)
    return [heading], sorted(ways, key=lambda way: -ways[way])


def _way(voice: Voice, choice: Mapping[str, Any], value: str) -> str:
    if choice["event"]["type"] == "accept":
        players = choice["event"]["players"]
        if players and choice["win"] is not None:
            # Rewards differ only in the win probability.
            names = voice.all_names(players)
            return voice.say("odds-accept", "named", names=names, value=value)
        return voice.say("odds-accept", "plain", value=value)
    held = say_dice(choice["event"]["held"])
    sentence = voice.say("odds-roll", "held" if held else "all", held=held, value=value)
    combos = [
        voice.say("odds-combo", combo=voice.term(likely["combo"]), chance=chance)
        for likely in sorted(choice["combos"], key=lambda likely: -likely["chance"]["value"])[:2]
        for chance in [voice.percent(likely["chance"]["value"])]
    ]
    return " ".join(
        [sentence, *([voice.say("odds-combos", combos=comma_list(combos))] if combos else [])]
    )
