"""Cases as they lie on the felt: card, dice set aside, roll, and the verdict in a word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dice_referee.games.cases import Case, case_table
from dice_referee.web.drawings import drawings

REFUSED = {400: "invalid", 422: "impossible"}
EVENTS = frozenset({"transitions", "audits", "reviews"})
"""Resources that judge events. Most of their cases expect ``legal``."""
GOOD, BAD = frozenset({"legal"}), frozenset({"illegal", *REFUSED.values()})
"""Verdicts that have a colour."""


Dice = tuple[tuple[Any, bool], ...]
"""Dice, and for each if it is lifted."""


class Strip(NamedTuple):
    card: str | None
    aside: tuple[Any, ...]
    dice: Dice
    verdict: str

    @property
    def tone(self) -> str:
        return "good" if self.verdict in GOOD else "bad" if self.verdict in BAD else ""


def strip(case: Case) -> Strip:
    """Returns the picture of a case. A game shows its last roll."""
    card: str | None = None
    aside: tuple[Any, ...] = ()
    dice: tuple[Any, ...] = ()
    taken: tuple[Any, ...] = ()
    for position in _positions(case):
        event = position.get("event") or {}
        name = f"card-{event.get('card') or position.get('card')}"
        if name in drawings():
            card, dice = name, ()
        rolled = event.get("dice") if event.get("type") != "keep" else None
        dice = _drawable(rolled or position.get("roll") or position.get("dice") or dice)
        held = event.get("held") or position.get("held") or ()
        aside = _drawable([die for keep in position.get("keeps", ()) for die in keep] or held)
        taken = event.get("dice", ()) if event.get("type") == "keep" else ()
    return Strip(card, aside, tuple(_mark_lifted(dice, taken)), verdict(case))


def verdict(case: Case) -> str:
    if case.status in REFUSED:
        return REFUSED[case.status]
    if case.resource in EVENTS:
        fault = case.expect.get("findings") or case.expect.get("first_illegal")
        return "legal" if case.expect.get("legal", not fault) else "illegal"
    return "odds" if case.resource == "odds" else "judged"


def clearest_dice(game: str) -> Mapping[str, Dice]:
    """Returns for each rule the dice of its case that lifts most dice, and is new to the page."""
    choices: dict[str, list[Dice]] = {}
    for case in case_table(game).cases:
        dice = _keepable(case)
        if case.status == 200 and dice:
            choices.setdefault(case.rules[0], []).append(dice)
    chosen: dict[str, Dice] = {}
    for rule, laid in choices.items():
        fresh = [dice for dice in laid if dice not in chosen.values()]
        chosen[rule] = max(fresh or laid, key=_lifted)
    return chosen


def _lifted(dice: Dice) -> int:
    return sum(lifts for _, lifts in dice)


def _keepable(case: Case) -> Dice:
    """Returns the dice of a case. A judged roll lifts the longest legal keep."""
    dice = strip(case).dice
    if case.resource != "adjudications":
        return dice if verdict(case) == "legal" else tuple((die, False) for die, _ in dice)
    keeps = [keep["dice"] for keep in case.expect.get("legal_keeps", ())]
    longest: Sequence[Any] = max(keeps, key=len, default=[])
    return tuple(_mark_lifted((die for die, _ in dice), longest))


def _positions(case: Case) -> Iterator[Mapping[str, Any]]:
    request = case.request
    log = request.get("log")
    if not isinstance(log, list):
        yield request
        return
    first_illegal = case.expect.get("first_illegal")
    for event in log[: first_illegal["index"] + 1 if first_illegal else None]:
        yield {"event": event}


def _drawable(values: Iterable[Any]) -> tuple[Any, ...]:
    faces = (int(value) if isinstance(value, float) else value for value in values)
    return tuple(face for face in faces if f"die-{face}" in drawings())


def _mark_lifted(dice: Iterable[Any], taken: Iterable[Any]) -> Iterator[tuple[Any, bool]]:
    left = list(taken)
    for die in dice:
        lifts = die in left
        if lifts:
            left.remove(die)
        yield die, lifts
