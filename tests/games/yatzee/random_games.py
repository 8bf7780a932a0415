"""Random positions and games of Yatzee, for the laws that hold in every game."""

from itertools import combinations
from random import Random
from typing import Any

import orjson

from dice_referee.games import catalogue, verbs
from dice_referee.games.yatzee.categories import CATEGORIES, PLACE
from dice_referee.games.yatzee.position import worths
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.rulebook.dice import as_dice

GAME = catalogue()["yatzee"]

NAMES = ["Ann", "Ben", "Cem", "Dee"]
SHEET = tuple(category.value for category in CATEGORIES)

Document = dict[str, Any]


def dice(rng: Random, number: int) -> list[int]:
    return [rng.randint(1, 6) for _ in range(number)]


def likely_dice(rng: Random) -> list[int]:
    """Returns six dice that often satisfy a category of the lower section."""
    first, second, third = rng.sample(range(1, 7), 3)
    return rng.choice(
        [
            *[dice(rng, 6)] * 8,
            [first] * 6,
            [first] * 5 + [second],
            [first] * 4 + [second] * 2,
            [first] * 3 + [second] * 3,
            [first, first, second, second, third, third],
            rng.sample(range(1, 7), 6),
            [1, 2, 3, 4, 5, first],
            [2, 3, 4, 5, 6, first],
        ]
    )


def random_options(rng: Random) -> Document:
    """Returns some house rules, mostly none."""
    options: Document = {
        "distinct_faces": rng.random() < 0.3,
        "upper_bonus": rng.choice([0, 35, 50, 1000]),
        "upper_threshold": rng.choice([1, 63, 84, 126]),
        "throw_bonus": [rng.choice([0, 5, 10, 100]) for _ in range(3)],
    }
    return {name: value for name, value in options.items() if rng.random() < 0.3}


def random_position(rng: Random) -> Document:
    """Returns a possible position in phase ``choose``, with dice on the table."""
    options = random_options(rng)
    rules = DEFAULT.house(options)
    scorecard = {}
    for category in rng.sample(CATEGORIES, rng.choice([0, 3, 9, 15, 17])):
        written = worths(rules, as_dice(likely_dice(rng)), rng.randint(1, 3))[PLACE[category]]
        scorecard[category.value] = written.points if rng.random() < 0.9 else 0
    position: Document = {"roll": likely_dice(rng), "rolls_made": rng.randint(1, 3)}
    if options:
        position["options"] = options
    if scorecard or rng.random() < 0.1:
        position["scorecard"] = scorecard
    if rng.random() < 0.3:
        position |= {"ruleset": "yatzee-six", "phase": "choose"}
    return position


def random_log(rng: Random) -> Document:
    """Returns a whole game of up to four players. The last answer calls each event legal."""
    options, players = random_options(rng), rng.randint(1, len(NAMES))
    sheets: list[Document] = [{} for _ in range(players)]
    log: list[Document] = []
    for turn in range(18 * players):
        position: Document = {"options": options, "scorecard": sheets[turn % players]}
        legal = ["roll"]
        while legal:
            event = random_event(rng, position, rng.choice(legal))
            step = verbs.step(GAME, {**position, "event": event})
            assert step["legal"], (position, event, step)
            log.append(event)
            position, legal = step["turn"], step["legal_events"]
        sheets[turn % players] = position["scorecard"]
    starter = rng.randrange(players)
    return {"options": options, "players": NAMES[:players], "starter": starter, "log": log}


def random_event(rng: Random, position: Document, kind: str) -> Document:
    """Returns a legal event of this type. Expects the type to be legal here."""
    if kind == "roll":
        table = list(position.get("roll", ()))
        held = rng.sample(table, rng.randint(0, 5)) if table else []
        return {"type": "roll", "held": held, "dice": dice(rng, 6 - len(held))}
    answer = orjson.loads(GAME.adjudicate_all([position])[1])
    fit = [
        entry["category"]
        for entry in answer["categories"]
        if entry["open"] and (kind == "strike" or entry["satisfied"])
    ]
    return {"type": kind, "category": rng.choice(fit)}


def next_event(rng: Random, turn: Document) -> Document:
    """Returns a legal roll in phase ``roll``, and a legal strike in phase ``choose``."""
    return random_event(rng, turn, "roll" if turn["phase"] == "roll" else "strike")


def documents_after(answer: Document) -> list[tuple[Document, Document]]:
    """Returns nothing: adjudications promise only totals, which ``test_table`` compares."""
    return []


def events_at(
    position: Document, answer: Document, holds: int = 4
) -> tuple[list[Document], list[Document]]:
    """Returns the legal events of an adjudication, and similar illegal events.

    ``holds`` is the number of holds to try, of the 64 that six different dice have.
    """
    legal: list[Document] = []
    illegal: list[Document] = []
    for entry in answer["categories"]:
        write = {"type": "write", "category": entry["category"]}
        strike = {"type": "strike", "category": entry["category"]}
        (legal if entry["open"] and entry["satisfied"] else illegal).append(write)
        (legal if entry["open"] else illegal).append(strike)
    table = [int(die) for die in position["roll"]]
    rng = Random(repr(sorted(table)))
    ways = sorted({way for n in range(6) for way in combinations(sorted(table), n)})
    for held in rng.sample(ways, min(holds, len(ways))):
        rolled = dice(rng, 6 - len(held))
        rolls = legal if answer["may_roll"] else illegal
        rolls.append({"type": "roll", "held": list(held), "dice": rolled})
        illegal.append({"type": "roll", "held": list(held), "dice": rolled[1:]})
        if held:
            illegal.append({"type": "roll", "held": list(held), "dice": [*rolled, 1]})
    illegal.append({"type": "roll", "held": table, "dice": []})
    illegal.append({"type": "roll", "held": table, "dice": [1]})
    for face in range(1, 7):
        one_more = [face] * (table.count(face) + 1)
        if len(one_more) < 6:
            rolled = dice(rng, 6 - len(one_more))
            illegal.append({"type": "roll", "held": one_more, "dice": rolled})
    return legal, illegal
