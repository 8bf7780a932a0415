"""Result of a roll under a card, whatever points the turn holds (T2, T5)."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from dice_referee.games.tutto.cards import DECK, Card
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.scoring import NO_KEEPS, Allowed, intern_rules, scoring_of
from dice_referee.rulebook.dice import Dice


class RollStatus(StrEnum):
    """Kind of a roll under a card."""

    NIETE = "niete"
    SCORING = "scoring"
    TUTTO = "tutto"


@dataclass(frozen=True, slots=True, eq=False)
class RollResult:
    """Result of a roll under a card, whatever points the turn holds. Compared by identity."""

    can: Allowed
    """Legal keeps."""
    rolled: int
    """Number of dice rolled."""
    status: RollStatus
    tutto: bool
    """True if the keep of every scoring die makes a Tutto (T3.1)."""
    banks: bool
    """True if the player may bank every scoring die of the roll (T2.5)."""
    rules: frozenset[str]
    """Numbers of the rules behind the result."""


NO_RESULT = RollResult(NO_KEEPS, 0, RollStatus.NIETE, False, False, frozenset())


@lru_cache(maxsize=1 << 14)
def result_of(rules: Ruleset, rule: str, free: Dice, rolled: int) -> RollResult:
    """Returns the result under the cards of this rule. Bonus cards differ only in their prize.

    ``free`` are the dice rolled. On a straight, they are only the faces not set aside yet. Some
    6000 combinations exist for each ruleset.
    """
    card = next(card for card in DECK if card.rule == rule)
    can = scoring_of(rules).allowed_on(card, free)
    return _result(card, can, rolled, rules.tutto_ends_turn(card))


@cache
def _result(card: Card, can: Allowed, rolled: int, ends: bool) -> RollResult:
    if can.most is None:
        niete = intern_rules(frozenset({"T2.1"} if card.may_stop else {"T2.1", card.rule}))
        return RollResult(can, rolled, RollStatus.NIETE, False, False, niete)
    tutto = len(can.most.dice) == rolled
    # Some cards allow the bank only at a Tutto; clover and firework never allow it.
    banks = card.may_stop or (tutto and not card.most_tuttos)
    cites = {"T2.2"} | can.rules
    if banks:
        cites.add("T2.5")
    if tutto:
        cites |= rules_of_tutto(card, ends)
    if not card.may_stop:
        cites.add(card.rule)
    status = RollStatus.TUTTO if tutto else RollStatus.SCORING
    return RollResult(can, rolled, status, tutto, banks, intern_rules(frozenset(cites)))


def rules_of_tutto(card: Card, ends: bool) -> frozenset[str]:
    """Returns the numbers of the rules for the points of a Tutto and the turn after it."""
    course = "T5.5i" if ends else "T3.2"
    return frozenset({"T3.1", card.rule} if card.most_tuttos else {"T3.1", course, card.rule})
