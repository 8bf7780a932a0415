"""Published rulesets of Tutto and their options.

Sources: A = publisher's rules, four languages, 2013; B = Braillespiel; V = Volle Lotte.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum

from dice_referee.games.tutto.cards import DECK
from dice_referee.rulebook import ruleset
from dice_referee.rulebook.ruleset import option

EDITION = 2
"""Version of the verdicts. Increment it when they change without options or facts."""


SINGLES = {1: 100, 5: 50}
"""Points of a single die (T1.2)."""

TRIPLES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
"""Points of three equal dice of a roll (T1.3)."""


class Ending(StrEnum):
    """Moment at which the game ends (T6.3)."""

    AT_ONCE = "at-once"
    FULL_ROUND = "full-round"
    ONE_MORE_TURN = "one-more-turn"


class FireworkKeep(StrEnum):
    """Dice that the player must set aside from each roll on a firework (T5.2)."""

    ALL = "all"
    ANY = "any"


class DoubleScope(StrEnum):
    """Points that a double doubles (T5.4)."""

    TURN = "turn"
    CARD = "card"


class LeaderDraws(StrEnum):
    """Duty of a sole leader who draws Plus/Minus (T5.5b)."""

    SITS_OUT = "sits-out"
    PLAYS = "plays"


class Deduction(StrEnum):
    """Moment at which the leaders lose their points (T5.5d)."""

    ON_TUTTO = "on-tutto"
    ON_BANK = "on-bank"


class ScoreFloor(StrEnum):
    """Lower limit of a score after a deduction (T5.5e)."""

    NONE = "none"
    ZERO = "zero"


class Leaders(StrEnum):
    """Points that count when the leaders are determined (T5.5g)."""

    SHEET = "sheet"
    TURN = "turn"


class PlusMinusPays(StrEnum):
    """Points of a turn after a Plus/Minus Tutto (T5.5h): carried points and 1000, or 1000."""

    BESIDE = "beside"
    EXACTLY = "exactly"


class PlusMinusTutto(StrEnum):
    """Course of the turn after a Plus/Minus Tutto (T5.5i)."""

    GOES_ON = "goes-on"
    ENDS_TURN = "ends-turn"


class EqualDice(StrEnum):
    """Points of four or more equal dice of a roll: as triples and singles, or doubled (T1.7)."""

    TRIPLES = "triples"
    DOUBLED = "doubled"


@dataclass(frozen=True, eq=False)
class Ruleset(ruleset.Ruleset):
    """Rules by which a game of Tutto is judged. The defaults are the publisher's (A)."""

    facts = {  # noqa: RUF012
        "game": "tutto",
        "edition": EDITION,
        "deck": [asdict(card) for card in DECK],
        "singles": SINGLES,
        "triples": TRIPLES,
    }

    target: int = option("T6.2", 6000, minimum=50, maximum=1_000_000)
    ending: Ending = option("T6.3", Ending.AT_ONCE)
    firework_keep: FireworkKeep = option("T5.2", FireworkKeep.ALL)
    double_scope: DoubleScope = option("T5.4", DoubleScope.TURN)
    leader_draws_plus_minus: LeaderDraws = option("T5.5b", LeaderDraws.SITS_OUT)
    sits_out_loses_carried: bool = option("T5.5f", True)
    deduction: Deduction = option("T5.5d", Deduction.ON_TUTTO)
    score_floor: ScoreFloor = option("T5.5e", ScoreFloor.NONE)
    leaders: Leaders = option("T5.5g", Leaders.SHEET, added=True)
    plus_minus_pays: PlusMinusPays = option("T5.5h", PlusMinusPays.BESIDE, added=True)
    equal_dice: EqualDice = option("T1.7", EqualDice.TRIPLES, added=True)
    plus_minus_tutto: PlusMinusTutto = option("T5.5i", PlusMinusTutto.GOES_ON, added=True)


ABACUS_2013 = Ruleset("abacus-2013")
BRAILLESPIEL = Ruleset(
    "braillespiel", ending=Ending.FULL_ROUND, leader_draws_plus_minus=LeaderDraws.PLAYS
)
VOLLE_LOTTE = Ruleset(
    "volle-lotte", firework_keep=FireworkKeep.ANY, leader_draws_plus_minus=LeaderDraws.PLAYS
)

RULESETS = {
    rules.id: rules
    for rules in (
        ABACUS_2013,
        BRAILLESPIEL,
        VOLLE_LOTTE,
    )
}
"""Published rulesets by id, in the order of the contract."""
