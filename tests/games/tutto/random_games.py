"""Random positions and games of Tutto, for the laws that hold in every game."""

from itertools import combinations
from random import Random
from typing import Any

from dice_referee.games.tutto.cards import CARDS, CLOVER, FIREWORK, PLAYABLE, STRAIGHT, Card
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.leaders import sits_out
from dice_referee.games.tutto.position import Over, Position
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import RULESETS, Ruleset
from dice_referee.games.tutto.scoring import scoring_of
from dice_referee.games.tutto.state import GameState

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo"]


def random_setup(rng: Random) -> dict[str, Any]:
    """Returns a random ruleset, often with house rules."""
    options: dict[str, Any] = {}
    for option in DEFAULT.known_options:
        if rng.random() < 0.25:
            if option.values:
                options[option.name] = rng.choice(option.values)
            else:
                options[option.name] = rng.choice((50, 500, 1000, 6000))
    setup: dict[str, Any] = {"options": options} if options else {}
    if rng.random() < 0.7:
        setup["ruleset"] = rng.choice(list(RULESETS))
    return setup


def dice(rng: Random, number: int) -> list[int]:
    return [rng.randint(1, 6) for _ in range(number)]


def random_position(
    rng: Random,
    setup: dict[str, Any] | None = None,
    card: Card | None = None,
    scored: bool | None = None,
) -> dict[str, Any]:
    """Returns a possible position in phase ``keep``, after random keeps of random rolls.

    Rules, card and the presence of a sheet are random by default.
    """
    setup = random_setup(rng) if setup is None else setup
    rules = RULESETS[setup.get("ruleset", "abacus-2013")].house(setup.get("options", {}))
    card = card or rng.choice(list(PLAYABLE.values()))
    position = Position(rules, card)
    for _ in range(rng.randint(0, 4)):
        rolled = position._replace(roll=tuple(sorted(dice(rng, position.dice_to_roll))))
        keeps = [k for k in rolled.roll_result.can.keeps if len(k.dice) < position.dice_to_roll]
        if keeps:
            all_keeps = (*position.aside.keeps, rng.choice(keeps).dice)
            aside = scoring_of(rules).aside(all_keeps, card is STRAIGHT)
            position = position._replace(aside=aside)
    document = {
        **setup,
        "card": card.id,
        "keeps": [list(keep) for keep in position.aside.keeps],
        "roll": _roll(rng, position.dice_to_roll, card),
    }
    if card is CLOVER:
        document["tuttos"] = rng.randint(0, 1)
    if card is FIREWORK:
        document["tuttos"] = rng.randint(0, 3)
    goes_on = rules.plus_minus_tutto == "goes-on"
    if rules.deduction == "on-bank" and goes_on and rng.random() < 0.5:
        document["pending_deductions"] = rng.randint(0, 3)
    earned = 1000 * document.get("pending_deductions", 0)
    if rules.plus_minus_pays == "exactly":
        # The last Tutto paid exactly 1000 points.
        earned = min(earned, 1000)
    if card is FIREWORK:
        earned += 300 * document["tuttos"]
    if earned or rng.random() < 0.5:
        document["carried"] = earned + 50 * rng.randint(0, 60)
    if (rng.random() < 0.6) if scored is None else scored:
        document |= _sheet(rng, rules, card, document.get("carried", 0))
    return document


def _roll(rng: Random, number: int, card: Card) -> list[int]:
    if card is STRAIGHT or rng.random() < 0.6:
        return dice(rng, number)
    return [rng.choice((1, 5, 2, 2)) for _ in range(number)]


def _sheet(rng: Random, rules: Ruleset, card: Card, carried: int) -> dict[str, Any]:
    most = rules.target // 50 - 1
    scores = [50 * rng.randint(0, most) for _ in range(rng.randint(2, 5))]
    if rng.random() < 0.3:
        scores = [scores[0]] * len(scores)
    player = rng.randrange(len(scores))
    starter = rng.randrange(len(scores)) if rng.random() < 0.3 else 0
    earlier, left = (player - starter) % len(scores), 0
    if rules.ending == "one-more-turn":
        left = rng.choice((0, 0, rng.randrange(len(scores))))
        earlier = len(scores) - left if left else 0
    if earlier and rules.ending != "at-once" and rng.random() < 0.3:
        # An earlier player of this round has reached the target.
        reached = (player - rng.randint(1, earlier)) % len(scores)
        scores[reached] = rules.target + 50 * rng.randint(0, 40)
    if card.id == "plus-minus":
        # A sole leader may have to sit out, so add a second leader.
        scores[player - 1] = max(scores)
        if sits_out(rules, tuple(scores), player, carried):
            # Carried points count, so lower the player's score by them (T5.5g).
            scores[player - 1] = rules.target - 50
            scores[player] = scores[player - 1] - carried
            if scores[player] < 0 and rules.score_floor == "zero":
                return {}
    sheet: dict[str, Any] = {"scores": scores, "player": player}
    if starter:
        sheet["starter"] = starter
    lowers = rules.deduction == "on-tutto" and rules.plus_minus_tutto == "goes-on"
    lowered = earlier > 1 or (carried >= 1000 and lowers)
    if earlier and rules.ending == "full-round" and lowered and rng.random() < 0.3:
        sheet["last_round"] = True
    if left and (lowered or max(scores) >= rules.target):
        sheet["turns_left"] = left
    return sheet


def events_at(
    position: dict[str, Any], answer: dict[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns the legal events of an adjudication, and similar illegal events."""
    keeps = [tuple(keep["dice"]) for keep in answer["legal_keeps"]]
    legal = [{"type": "keep", "dice": list(keep)} for keep in keeps]
    roll = sorted(position["roll"])
    groups = {group for n in range(len(roll) + 1) for group in combinations(roll, n)} - set(keeps)
    groups |= {(*keep, keep[-1]) for keep in keeps if len(keep) < 6} - set(keeps)
    groups = {group for group in groups if group not in keeps}
    illegal: list[dict[str, Any]] = [{"type": "keep", "dice": list(group)} for group in groups]
    illegal += [{"type": "roll", "dice": position["roll"]}]
    illegal += [{"type": "draw", "card": card} for card in CARDS]
    (illegal if answer["bank"] is None else legal).append({"type": "bank"})
    return legal, illegal


def documents_after(answer: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Returns the promised result of each legal event of an adjudication."""
    promised = [
        ({"type": "keep", "dice": keep["dice"]}, keep["next"]) for keep in answer["legal_keeps"]
    ]
    if answer["bank"] is not None:
        promised.append(({"type": "bank"}, answer["bank"]["next"]))
    return promised


def next_event(rng: Random, turn: dict[str, Any]) -> dict[str, Any] | None:
    """Returns a legal event of chance, or None for a turn that waits for no chance."""
    if turn["phase"] == "draw":
        return {"type": "draw", "card": rng.choice(list(CARDS))}
    if turn["phase"] == "roll":
        return {"type": "roll", "dice": dice(rng, turn["dice_to_roll"])}
    return None


def random_log(rng: Random, ending: str | None = None) -> dict[str, Any]:
    """Returns a whole game of random choices, as a body for the audit."""
    document = random_setup(rng)
    document.setdefault("options", {}).setdefault("target", rng.choice((300, 1000, 2000)))
    if ending is not None:
        document["options"]["ending"] = ending
    rules = RULESETS[document.get("ruleset", "abacus-2013")].house(document["options"])
    number = rng.randint(2, 4)
    document["starter"] = rng.randrange(number)
    state, log = GameState.new(rules, number, document["starter"]), []
    deck = [card for card in CARDS.values() for _ in range(card.copies)]
    while not isinstance(state.turn, Over):
        event = _choose(rng, state, deck)
        log.append(event_document(event))
        state = state.after(event.play(state.turn))
    return {**document, "players": NAMES[:number], "log": log}


def _choose(rng: Random, state: GameState, deck: list[Card]) -> Event:
    assert isinstance(state.turn, Position)
    match rng.choice(state.turn.legal_events):
        case "draw":
            return Draw(rng.choice(deck))
        case "roll":
            return Roll(tuple(dice(rng, state.turn.dice_to_roll)))
        case "bank":
            return Bank()
        case _:
            return SetAside(rng.choice(state.turn.roll_result.can.keeps).dice)


def event_document(event: Event) -> dict[str, Any]:
    match event:
        case Draw(card):
            assert card is not None
            return {"type": "draw", "card": card.id}
        case Roll(rolled):
            assert rolled is not None
            return {"type": "roll", "dice": list(rolled)}
        case SetAside(kept):
            return {"type": "keep", "dice": list(kept)}
        case Bank():
            return {"type": "bank"}
