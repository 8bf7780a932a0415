"""Values of Tutto: the tables of the guide to odds, and their conclusions."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import CARDS, CLOVER, DECK, DOUBLE, FIREWORK, STOP, Card
from dice_referee.games.tutto.position import SIX, STEP, Position
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import RULESETS, DoubleScope, FireworkKeep, Ruleset
from dice_referee.games.tutto.scoring import scoring_of, straight_chance
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.odds import VALUE_TABLES, Odds, Question
from dice_referee.games.tutto.values.piles import WHOLE_PILE, Pile
from dice_referee.games.tutto.values.rows import NOISE
from dice_referee.games.tutto.values.tables import NextDraw, ValueTables
from dice_referee.rulebook.dice import FACES, Dice, distinct_rolls
from tests.games.guide_table import GuideTable, per_cent, table
from tests.games.tutto.plain_turn import (
    GOOD_PLAY,
    Habits,
    PlainTurn,
    best_number_of_faces,
    straight_of_every_face,
    tutto_of_every_die,
)

RULES = tuple(RULESETS.values())
NAMES = tuple(f"`{name}`" for name in RULESETS)
BONUS_300 = CARDS["bonus-300"]
STOPPABLE = tuple(card for card in DECK if card.dice_earn and card.may_stop and card is not STOP)
"""Cards on which a player may stop before a Tutto."""

HABITS = {
    "plays well": GOOD_PLAY,
    "always banks after a Tutto": Habits(banks_tuttos=True),
    "sets aside every new face of a Straight": Habits(every_face=True),
    "sets aside every scoring die": Habits(every_die=True),
    "has the last two habits": Habits(every_die=True, every_face=True),
}


def tables() -> Iterator[GuideTable]:
    """Yields the tables about Tutto of the guide to odds."""
    yield chances()
    yield straight()
    yield values()
    yield readings()
    yield stopping()
    yield habits()
    yield one_number()
    yield reaching()
    yield piles()


def conclusions() -> Iterator[str]:
    """Yields the conclusions for play, a line each."""
    good, every_die, every_face, banks, by_number = (
        worth(DEFAULT, player)
        for player in (
            GOOD_PLAY,
            HABITS["sets aside every scoring die"],
            HABITS["sets aside every new face of a Straight"],
            HABITS["always banks after a Tutto"],
            Habits(stops_from=best_number()),
        )
    )
    rolling = {dice: stops_from(DEFAULT, BONUS_300, dice) for dice in FACES[:-1]}
    yield (
        "After a first roll without a triple on Bonus 300, set aside one die, a 1 rather than a 5. "
        f"Bank a first roll of {banks_first_rolls_from()} points or more, unless it is a Tutto. "
        "Always setting aside every scoring die "
        f"costs {good - every_die:.1f} of {good:.1f} points a turn."
    )
    yield (
        f"On Bonus 300, bank with one or two dice left from {rolling[2]} points on, with three "
        f"from {rolling[3]}, with four from {rolling[4]}, with five from {rolling[5]}. First look "
        "for fewer dice to set aside that are worth more."
    )
    yield (
        f"To remember one number only, bank from {best_number()} points on with any dice left. "
        f"This loses {good - by_number:.1f} points a turn."
    )
    yield (
        f"After a Tutto, draw a card with fewer than {banks_from(DEFAULT)} points, else bank. "
        f"Always banking costs only {good - banks:.1f} points a turn."
    )
    yield (
        "On a Straight with five or six missing faces, set aside one new face, unless the roll has "
        f"them all. This succeeds in {per_cent(straight_chance(SIX))}. Setting aside all new faces "
        f"succeeds in {per_cent(straight_of_every_face(SIX))} and costs "
        f"{good - every_face:.1f} points a turn."
    )


# Dice ---------------------------------------------------------------------------------------------


def chances() -> GuideTable:
    """Returns the chances of a Niete and of a Tutto by the number of dice to roll."""
    scoring = scoring_of(DEFAULT)
    rows = (
        (
            str(roll.dice),
            per_cent(roll.niete),
            per_cent(roll.tutto),
            per_cent(tutto_of_every_die(scoring, roll.dice)),
        )
        for roll in (scoring.next_roll(BONUS_300, dice) for dice in FACES)
    )
    return table(("Dice", "Niete", "Tutto", "setting aside every die"), rows)


def straight() -> GuideTable:
    """Returns the chances of a straight by the number of missing faces."""
    rows = (
        (
            str(missing),
            per_cent(straight_chance(missing)),
            per_cent(straight_of_every_face(missing)),
            ", ".join(str(best_number_of_faces(missing, new)) for new in range(1, missing + 1)),
        )
        for missing in FACES
    )
    header = ("Faces missing", "Straight", "setting aside every new face")
    return table((*header, "best number of 1, 2, … new faces"), rows)


def title(card: Card) -> str:
    """Returns the English title of a card."""
    text: str = catalogue()["tutto"].words["vocabulary"][card.id]["en"]
    return text


# Values -------------------------------------------------------------------------------------------


def turn(rules: Ruleset, card: Card | None = None, pile: Pile | None = None) -> float:
    """Returns the value of a turn before its first card, or of this card with nothing carried."""
    return Question(Position(rules, card), pile=pile).value()


def values() -> GuideTable:
    """Returns the values of a turn before its first card, and of each card."""
    alone = [Question(Position(rules, scores=(STEP, 0), player=0)).value() for rules in RULES]
    rows = [("no card yet", *(_points(turn(rules)) for rules in RULES))]
    rows.append(("no card yet, as the sole leader", *map(_points, alone)))
    for card in DECK:
        by_ruleset = [0.0 if card is STOP else turn(rules, card) for rules in RULES]
        rows.append(
            (f"{title(card)} ({card.copies} of {sum(WHOLE_PILE)})", *map(_points, by_ruleset))
        )
    return table(("Nothing carried", *NAMES), rows)


def readings() -> GuideTable:
    """Returns the effects of the readings of Firework and Double."""
    rows = []
    for keep in FireworkKeep:
        for scope in DoubleScope:
            rules = DEFAULT.house({"firework_keep": keep.value, "double_scope": scope.value})
            doubles = [
                Question(Position(rules, DOUBLE, carried=carried)).value() for carried in (0, 1000)
            ]
            points = (turn(rules), turn(rules, FIREWORK), *doubles)
            rows.append((f"`{keep}`", f"`{scope}`", *map(_points, points)))
    header = ("`firework_keep`", "`double_scope`", "a turn", "a Firework", "a Double")
    return table((*header, "a Double with 1000 carried"), rows)


# When to stop -------------------------------------------------------------------------------------


def gains_of_rolling(rules: Ruleset, card: Card, dice: int) -> list[float]:
    """Returns the gain of rolling over banking for each total of the turn, in steps of 50 points.

    The first total is the lowest possible total. No points are carried, and each die set aside has
    earned at least 50 points.
    """
    tables = _tables(rules)
    steps = range(SIX - dice, tables.top + 1)
    return [tables.cards[card].value(dice, 0, held) - held * STEP for held in steps]


def gains_of_drawing(rules: Ruleset, pile: Pile = WHOLE_PILE) -> list[float]:
    """Returns the gains of drawing another card over banking, by steps of points."""
    tables = _tables(rules)
    drawing = tables.drawing(NextDraw(pile))
    return [drawing[held] - held * STEP for held in range(tables.top + 1)]


def _tables(rules: Ruleset) -> ValueTables:
    return VALUE_TABLES[aim_of(rules, None)]


def first_loss(gains: Sequence[float]) -> int:
    """Returns the index from which all gains are losses."""
    return max((place + 1 for place, gain in enumerate(gains) if gain >= -NOISE), default=0)


def stops_from(rules: Ruleset, card: Card, dice: int) -> int:
    """Returns the points from which banking is better than rolling this many dice."""
    return (SIX - dice + first_loss(gains_of_rolling(rules, card, dice))) * STEP


def banks_from(rules: Ruleset, pile: Pile = WHOLE_PILE) -> int:
    """Returns the points from which a Tutto is better banked."""
    return first_loss(gains_of_drawing(rules, pile)) * STEP


def stopping() -> GuideTable:
    """Returns the thresholds to stop while dice are left."""
    rows = []
    for card in STOPPABLE:
        agreeing = defaultdict[tuple[int, ...], list[str]](list)
        for name, rules in zip(NAMES, RULES, strict=True):
            agreeing[tuple(stops_from(rules, card, dice) for dice in FACES[:-1])].append(name)
        for points, names in agreeing.items():
            rulesets = "all" if len(agreeing) == 1 else ", ".join(names)
            rows.append((title(card), rulesets, *map(str, points)))
    header = ("Card", "rulesets", "1 die left", *(f"{dice} dice" for dice in FACES[1:-1]))
    return table(header, rows)


def scoring_first_rolls() -> Iterator[tuple[Dice, Odds]]:
    """Yields each first roll on bonus 300 with its odds, Nieten excluded."""
    for roll in distinct_rolls(SIX):
        question = Question(Position(DEFAULT, BONUS_300, roll=roll))
        if not question.impossibilities():
            yield roll, question.odds()


def banks_first_rolls_from() -> int:
    """Returns the least points from which every first roll is best banked, Tuttos excluded."""
    going_on = [
        odds.choices[-1].value
        for _, odds in scoring_first_rolls()
        if odds.best != len(odds.choices) - 1
        and all(choice.next_roll for choice in odds.choices[:-1])
    ]
    return int(max(going_on)) + STEP


# Habits -------------------------------------------------------------------------------------------


def worth(rules: Ruleset, habits: Habits) -> float:
    """Returns the value of a turn for a player with these habits."""
    return _worth(rules.target, rules.firework_keep, rules.double_scope, habits)


@cache
def _worth(target: int, keep: FireworkKeep, scope: DoubleScope, habits: Habits) -> float:
    options = {"target": target, "firework_keep": keep.value, "double_scope": scope.value}
    return PlainTurn(DEFAULT.house(options), habits).value()


def habits() -> GuideTable:
    """Returns the costs of habits."""
    rows = (
        (
            who,
            *(_points(worth(rules, habits)) for rules in RULES),
            f"{worth(DEFAULT, GOOD_PLAY) - worth(DEFAULT, habits):.3f}",
        )
        for who, habits in HABITS.items()
    )
    return table(("A player who", *NAMES, f"costs ({NAMES[0]})"), rows)


ONE_NUMBER = range(200, 650, 50)
"""Candidate stopping points of ``best_number``."""


def best_number() -> int:
    """Returns the best points to stop from regardless of the dice left."""
    return max(ONE_NUMBER, key=lambda points: worth(DEFAULT, Habits(stops_from=points)))


def one_number() -> GuideTable:
    """Returns the results of players who stop by points alone."""
    kinds = (GOOD_PLAY, HABITS["has the last two habits"])
    rows = (
        (str(n), *(_points(worth(DEFAULT, kind._replace(stops_from=n))) for kind in kinds))
        for n in ONE_NUMBER
    )
    return table(("Banks from", "plays well otherwise", "sets aside every die and face"), rows)


# Aims and piles -----------------------------------------------------------------------------------


def reaching() -> GuideTable:
    """Returns the chances to write at least these points in a turn."""
    rows = (
        (
            str(points),
            *(per_cent(Question(Position(rules), points).value()) for rules in RULES),
        )
        for points in (500, 1000, 2000, 3000, 6000)
    )
    return table(("At least", *NAMES), rows)


def _without(*cards: Card) -> Pile:
    return tuple(0 if card in cards else card.copies for card in DECK)


PILES: dict[str, Pile] = {
    "all cards": WHOLE_PILE,
    "all but the Stops": _without(STOP),
    "all but the Lucky Clover Leaf": _without(CLOVER),
    "all but the Fireworks": _without(FIREWORK),
    "all Stops and two of each bonus": tuple(
        card.copies if card is STOP else 2 * (card.id.startswith("bonus")) for card in DECK
    ),
}


def piles() -> GuideTable:
    """Returns the values of knowing the pile of the next card."""
    rows = (
        (
            name,
            str(sum(pile)),
            per_cent(pile[DECK.index(STOP)] / sum(pile)),
            _points(turn(DEFAULT, pile=pile)),
            str(banks_from(DEFAULT, pile)),
        )
        for name, pile in PILES.items()
    )
    return table(("Pile", "cards", "a Stop", "a turn", "after a Tutto bank from"), rows)


def _points(points: float) -> str:
    return f"{points:.3f}"
