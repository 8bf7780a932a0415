"""Random positions and games of POT, for the laws that hold in every game."""

import json
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any

from dice_referee.games import catalogue, verbs
from dice_referee.games.pot.rulesets import PLAYERS

GAME = catalogue()["pot"]

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eve"]
FACES: list[Any] = [1, 2, 3, 4, 5]
COMBOS: list[list[Any]] = [
    [1, 2, 3],
    [2, 3, 4],
    [3, 4, 5],
    ["P", "O", "T"],
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
    [4, 4, 4],
    [5, 5, 5],
    [2, 4, "O"],
    [2, 4, "T"],
]
CHOICES = {
    "target": (5, 12, 24, 40),
    "start_coins": (0, 1, 3, 8),
    "total_coins": (41, 45, 55, 90),
}


def random_options(rng: Random) -> dict[str, Any]:
    """Returns some house rules that agree with each other for any number of players."""
    options: dict[str, Any] = {}
    for option in GAME.options:
        if rng.random() >= 0.2:
            continue
        if option.values:
            options[option.name] = rng.choice(option.values)
        elif option.name in CHOICES:
            options[option.name] = rng.choice(CHOICES[option.name])
        else:
            assert option.minimum is not None
            assert option.maximum is not None
            options[option.name] = rng.randint(option.minimum, option.maximum)
    if "start_coins" in options and 5 * options["start_coins"] + 5 > options.get("total_coins", 55):
        del options["start_coins"]
    return options


def set_of_dice(rng: Random) -> list[Any]:
    """Returns the faces of the P, the O and the T die."""
    return [rng.choice([*FACES, letter]) for letter in "POT"]


def random_coins(rng: Random, total: int, count: int) -> tuple[list[int], int, int]:
    """Returns coins of players, POT and bank, often with poor players or an empty bank."""
    bank = rng.choice((0, 1, 2, 5, total // 2, total - 12))
    pot = min(rng.randint(1, 6), total - bank)
    left, coins = total - bank - pot, [0] * count
    rich = rng.sample(range(count), rng.randint(1, count))
    while left:
        share = min(left, rng.randint(1, 4))
        coins[rng.choice(rich)] += share
        left -= share
    return coins, pot, bank


def random_position(rng: Random) -> dict[str, Any]:
    """Returns a possible position in phase ``choose``."""
    options = random_options(rng)
    count = rng.randint(*PLAYERS)
    coins, pot, bank = random_coins(rng, options.get("total_coins", 55), count)
    player = rng.randrange(count)
    dice = set_of_dice(rng) if rng.random() < 0.4 else list(rng.choice(COMBOS))
    rng.shuffle(dice)
    document: dict[str, Any] = {
        **({"options": options} if options else {}),
        "roll": dice,
        "rolls_made": rng.randint(1, 3),
        "coins": coins,
        "pot": pot,
        "bank": bank,
        "player": player,
    }
    if rng.random() < 0.3:
        document["ruleset"] = "pot-2020"
    if rng.random() < 0.7:
        document["holder"] = rng.choice([seat for seat in range(count) if seat != player])
        document["to_beat"] = rng.randint(1, 15)
    elif rng.random() < 0.3:
        document |= {"holder": None, "to_beat": None}
    return document


def rolls_from(lying: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yields every roll, as dice held and dice rolled, that the three real dice allow.

    Tries every assignment of the faces on the table to the P, the O and the T die, every hold and
    every face of the dice rolled.
    """
    seen = set()
    for first in range(3):
        for second in {0, 1, 2} - {first}:
            faces = [lying[first], lying[second], lying[3 - first - second]]
            if any(str(face) in "POT" and face != "POT"[i] for i, face in enumerate(faces)):
                continue
            for places in (places for n in range(3) for places in combinations(range(3), n)):
                free = [i for i in range(3) if i not in places]
                held = [faces[i] for i in places]
                for fresh in _faces_of(free):
                    key = _key(held, fresh)
                    if key not in seen:
                        seen.add(key)
                        yield held, fresh


def _faces_of(dice: list[int]) -> Iterator[list[Any]]:
    if not dice:
        yield []
        return
    for rest in _faces_of(dice[1:]):
        for face in [*FACES, "POT"[dice[0]]]:
            yield [face, *rest]


def every_roll() -> Iterator[tuple[list[Any], list[Any]]]:
    """Yields every roll, possible or not. A roll of a wrong number of dice shows only 1s."""
    faces = [*FACES, *"POT"]
    sides = [list(d) for n in range(4) for d in combinations_with_replacement(faces, n)]
    for held in sides:
        for fresh in sides:
            if len(held) + len(fresh) == 3 or set(fresh) <= {1}:
                yield held, fresh


def events_at(
    position: dict[str, Any], answer: dict[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns the legal events of an adjudication, and similar illegal events."""
    count = len(position["coins"])
    offers = [tuple(choice["players"]) for choice in answer["choices"]]
    legal: list[dict[str, Any]] = [
        {"type": "accept", "players": list(players)} for players in offers
    ]
    groups = [group for n in range(4) for group in combinations(range(min(count + 1, 5)), n)]
    refusals = [group for group in groups if group not in offers]
    refusals += [(seat, seat) for seat in range(count)]
    illegal: list[dict[str, Any]] = [
        {"type": "accept", "players": list(group)} for group in refusals
    ]
    rng = Random(repr((position["roll"], position["rolls_made"])))
    possible = list(rolls_from(position["roll"]))
    known = {_key(held, fresh) for held, fresh in possible}
    wrong = [
        (held, fresh)
        for held, fresh in (_random_roll(rng, position["roll"]) for _ in range(15))
        if _key(held, fresh) not in known
    ]
    rolls_made = [roll_event(held, fresh) for held, fresh in rng.sample(possible, 10)]
    (illegal if answer["next_roll"] is None else legal).extend(rolls_made)
    illegal += [roll_event(held, fresh) for held, fresh in wrong]
    return legal, illegal


def _random_roll(rng: Random, lying: list[Any]) -> tuple[list[Any], list[Any]]:
    held = rng.sample(lying, rng.randint(0, 3))
    if rng.random() < 0.2:
        held = [*held, rng.choice([*FACES, *"POT"])][-3:]
    number = 3 - len(held) if rng.random() < 0.8 else rng.randint(0, 3)
    return held, [rng.choice([*FACES, *"POTPOT"]) for _ in range(number)]


def _key(held: list[Any], fresh: list[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(map(str, held))), tuple(sorted(map(str, fresh)))


def roll_event(held: list[Any], fresh: list[Any]) -> dict[str, Any]:
    return {"type": "roll", **({"held": held} if held else {}), "dice": fresh}


def documents_after(answer: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Returns the promised result of each choice of an adjudication."""
    return [
        ({"type": "accept", "players": choice["players"]}, choice["next"])
        for choice in answer["choices"]
    ]


def next_event(rng: Random, turn: dict[str, Any]) -> dict[str, Any] | None:
    """Returns a legal roll, or None for a game that waits for no roll."""
    if turn["phase"] == "reroll":
        faces = rng.choice(list(_faces_of(rng.sample(range(3), 2))))
        return {"type": "roll", "held": [2], "dice": faces}
    if turn["phase"] in ("roll", "sudden-death"):
        return {"type": "roll", "dice": set_of_dice(rng)}
    return None


class RealDice:
    """The P, the O and the T die of a set, with the face that each shows."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.shown = rng, set_of_dice(rng)

    def roll(self, held: list[int]) -> dict[str, Any]:
        """Rolls all dice but these and returns the event."""
        held_faces = [self.shown[die] for die in held]
        free = [die for die in range(3) if die not in held]
        for die, face in zip(free, set_of_dice(self.rng)[: len(free)], strict=True):
            self.shown[die] = "POT"[die] if isinstance(face, str) else face
        return roll_event(held_faces, [self.shown[die] for die in free])

    def reroll(self) -> dict[str, Any]:
        """Rolls the 1 and the 3 of an accepted 1 2 3."""
        return self.roll([self.shown.index(2)])

    def roll_again(self) -> dict[str, Any]:
        """Rolls a random selection of dice, never none."""
        return self.roll(sorted(self.rng.sample(range(3), self.rng.randint(0, 2))))


def random_log(rng: Random) -> dict[str, Any]:
    """Returns a whole game of random choices, as a body for the audit.

    The last answer calls each event legal.
    """
    # Random play reaches these targets in some dozen rounds.
    options = random_options(rng) | {"target": rng.choice((6, 9, 12, 15))}
    if rng.random() < 0.2 and "total_coins" not in options:
        del options["target"]
    count = rng.randint(*PLAYERS)
    table = {"players": NAMES[:count], "starter": rng.randrange(count)}
    table |= {"options": options} if options else {}
    log: list[dict[str, Any]] = []
    dice = RealDice(rng)
    turn = verbs.audit(GAME, {**table, "log": []})["turn"]
    while turn["phase"] != "over":
        event = _real_event(rng, turn, dice)
        step = verbs.step(GAME, {**turn, "event": event})
        assert step["legal"], (turn, event, step)
        log.append(event)
        turn = step["turn"]
    return {**table, "log": log}


def _real_event(rng: Random, turn: dict[str, Any], dice: RealDice) -> dict[str, Any]:
    """Returns a legal event with random dice."""
    if turn["phase"] == "reroll":
        return dice.reroll()
    if turn["phase"] in ("roll", "sudden-death"):
        return dice.roll([])
    answer = json.loads(GAME.adjudicate_all([turn])[1])
    if answer["next_roll"] is not None and rng.random() < 0.4:
        return dice.roll_again()
    return {"type": "accept", "players": rng.choice(answer["choices"])["players"]}
