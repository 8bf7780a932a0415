"""A player without rules: chooses among the events that a session's state lists as legal."""

from random import Random
from typing import Any

State = dict[str, Any]
Event = dict[str, Any]

BEGINNINGS: dict[str, Event] = {
    "tutto": {"options": {"target": 1000}, "players": ["Ann", "Ben", "Cleo"]},
    "yatzee": {"players": ["Ann", "Ben"]},
    "pot": {"players": ["Ann", "Ben", "Cleo"]},
}
"""Setups of short games for the tests' sessions, by game."""


def choose(state: State, random: Random) -> Event:
    """Returns a legal event. With people's dice, adds their roll."""
    rolled = state["dice"] == "client"
    kind = random.choice(state["legal_events"])
    event: Event = {"type": kind}
    turn, allowed = state["turn"], state["adjudication"]
    if kind == "draw" and rolled:
        event["card"] = random.choice(["stop", "bonus-300", "straight", "plus-minus", "double"])
    elif kind == "roll" and state["game"] == "tutto":
        if rolled:
            event["dice"] = [random.randint(1, 6) for _ in range(turn["dice_to_roll"])]
    elif kind == "keep":
        event["dice"] = random.choice(allowed["legal_keeps"])["dice"]
    elif kind == "roll" and state["game"] == "yatzee":
        event["held"] = random.sample(
            turn.get("roll", []), random.randint(0, 5) if "roll" in turn else 0
        )
        if rolled:
            event["dice"] = [random.randint(1, 6) for _ in range(6 - len(event["held"]))]
    elif kind == "roll":
        event |= _roll_of_pot(turn, random, rolled=rolled)
    elif kind in ("write", "strike"):
        fits = [
            entry["category"]
            for entry in allowed["categories"]
            if entry["open"] and (kind == "strike" or entry["satisfied"])
        ]
        event["category"] = random.choice(fits)
    elif kind == "accept":
        event["players"] = random.choice(allowed["choices"])["players"]
    return event


def _roll_of_pot(turn: State, random: Random, *, rolled: bool) -> Event:
    held: list[Any] = []
    if turn["phase"] == "reroll":
        held = [2]
    elif turn["phase"] == "choose":
        held = random.sample(turn["roll"], random.randint(0, 2))
    event: Event = {"held": held}
    if rolled:
        # Letters fall only where all three dice are rolled. Each letter's die is then known.
        faces: list[Any] = [random.randint(1, 5) for _ in range(3 - len(held))]
        if turn["phase"] == "roll" and random.random() < 0.5:
            faces[0] = random.choice("POT")
        event["dice"] = faces
    return event
