"""Questions for the referee: different positions of Tutto, taken from random whole games.

The same seed gives the same positions. Half of the games have a score sheet, a third has house
rules, and the rulesets alternate. Dice keep the order of the roll. Fields at their default are left
out.
"""

from collections.abc import Iterator
from itertools import count, cycle, islice
from random import Random
from typing import Any

import orjson

from dice_referee.games.tutto.cards import DECK
from dice_referee.games.tutto.documents import turn_document
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.position import Phase, Position
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import RULESETS, Ending, Ruleset
from dice_referee.games.tutto.state import GameState
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.ruleset import Option, OptionValue

SEED = 1982
BANKS = 0.3
"""Share of the turns in which players bank."""
NEWER = {"equal_dice", "plus_minus_tutto"}
"""Options that the last release and the other contenders lack."""

Document = dict[str, Any]


def positions(number: int, seed: int = SEED) -> list[Document]:
    """Returns distinct possible requests for an adjudication."""
    return list(islice(_different(Random(seed)), number))


def _different(chance: Random) -> Iterator[Document]:
    seen: set[str] = set()
    rulesets = cycle(RULESETS)
    for number in count():
        rules = RULESETS[next(rulesets)].house(_house_rules(chance) if number % 3 == 2 else {})
        with_sheet = chance.random() < 0.5
        for position in _rolls(rules, chance):
            document = _document(position, with_sheet=with_sheet)
            key = repr({**document, "roll": sorted(document["roll"])})
            if key not in seen:
                seen.add(key)
                yield document


def _house_rules(chance: Random) -> dict[str, OptionValue]:
    """Returns up to three options with random values."""
    options = [option for option in DEFAULT.known_options if option.name not in NEWER]
    chosen = chance.sample(options, chance.randint(1, 3))
    return {option.name: _value(option, chance) for option in chosen}


def _value(option: Option, chance: Random) -> OptionValue:
    if option.minimum is not None:
        return chance.choice((3000, 5000, 10_000))
    # 0.10.0 does not know ``one-more-turn``.
    value = chance.choice([value for value in option.values if value != Ending.ONE_MORE_TURN])
    return value if isinstance(value, bool) else str(value)


def _rolls(rules: Ruleset, chance: Random) -> Iterator[Position]:
    """Yields every roll of a random game, its dice unsorted."""
    state = GameState.new(rules, chance.randint(2, 6))
    while isinstance(state.turn, Position):
        event = _event(state.turn, chance)
        if isinstance(event, Roll):
            yield state.turn._replace(roll=event.dice)
        state = state.after(event.play(state.turn))


def _event(position: Position, chance: Random) -> Event:
    match position.phase:
        case Phase.DRAW:
            return Draw(chance.choices(DECK, [card.copies for card in DECK])[0])
        case Phase.ROLL:
            return Roll(tuple(chance.choices(FACES, k=position.dice_to_roll)))
        case _:
            if "bank" in position.legal_events and chance.random() < BANKS:
                return Bank()
            can = position.roll_result.can
            # Half of the keeps are the largest, since smaller keeps rarely lead to a Tutto.
            keep = can.most if can.most and chance.random() < 0.5 else chance.choice(can.keeps)
            return SetAside(keep.dice)


def _document(position: Position, *, with_sheet: bool) -> Document:
    """Returns the document that a client sends, without the fields that follow from the rest."""
    document: Document = orjson.loads(orjson.dumps(turn_document(position)))
    # 0.9.0 does not know ``last_round``. Without the field, the round is an earlier round.
    derived = {"phase", "dice_to_roll", "turn_points", "last_round"}
    if not with_sheet:
        derived |= {"scores", "player"}
    return {name: value for name, value in document.items() if name not in derived and value != {}}
