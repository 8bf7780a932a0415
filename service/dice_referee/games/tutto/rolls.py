"""Result of a roll under a card, whatever points the turn holds (T2, T5)."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from dice_referee.games.tutto.cards import DECK
from dice_referee.games.tutto.deck import Terms, cards_of
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.scoring import NO_KEEPS, Allowed, intern_rules, scoring_of
from dice_referee.rulebook.dice import Dice


class RollStatus(StrEnum):
    NIETE = "niete"
    SCORING = "scoring"
    TUTTO = "tutto"


@dataclass(frozen=True, slots=True, eq=False)
class RollResult:
    """Result of a roll under a card, whatever points the turn holds. Compared by identity."""

    can: Allowed
    rolled: int
    status: RollStatus
    tutto: bool
    """True if the keep of every scoring die makes a Tutto (T3.1)."""
    banks: bool
    """True if the player may bank every scoring die of the roll (T2.5)."""
    rules: frozenset[str]


NO_RESULT = RollResult(NO_KEEPS, 0, RollStatus.NIETE, False, False, frozenset())


@lru_cache(maxsize=1 << 14)
def result_of(rules: Ruleset, rule: str, free: Dice, rolled: int) -> RollResult:
    """Returns the result under the cards of this rule. Bonus cards differ only in their prize.

    ``free`` are the dice rolled, on a straight only the faces not set aside yet. Some 6000
    combinations exist for each ruleset.
    """
    card = next(card for card in DECK if card.rule == rule)
    can = scoring_of(rules).allowed_on(card, free)
    return _result(cards_of(rules).terms[card], can, rolled)


@cache
def _result(terms: Terms, can: Allowed, rolled: int) -> RollResult:
    card = terms.card
    if can.most is None:
        niete = intern_rules(frozenset({"T2.1"} if terms.may_stop else {"T2.1", card.rule}))
        return RollResult(can, rolled, RollStatus.NIETE, False, False, niete)
    tutto = len(can.most.dice) == rolled
    # Some cards allow the bank only at a Tutto; clover and firework never allow it.
    banks = terms.may_stop or (tutto and not card.most_tuttos)
    cites = {"T2.2"} | can.rules
    if banks:
        cites.add("T2.5")
    if tutto:
        cites |= terms.rules
    if not terms.may_stop:
        cites.add(card.rule)
    status = RollStatus.TUTTO if tutto else RollStatus.SCORING
    return RollResult(can, rolled, status, tutto, banks, intern_rules(frozenset(cites)))
