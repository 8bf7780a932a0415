"""What positions of Tutto are worth, against published figures, the rules themselves and dice."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, pvariance

import pytest

from service.games.tutto import odds
from service.games.tutto.cards import (
    CARDS,
    CLOVER,
    DECK,
    DOUBLE,
    FIREWORK,
    PILE,
    PLUS_MINUS,
    STOP,
    STRAIGHT,
)
from service.games.tutto.chances import next_roll
from service.games.tutto.events import Bank, Draw, Roll, SetAside, legal_events
from service.games.tutto.odds import Question, all_odds, choices, value, worth
from service.games.tutto.position import Phase, Position
from service.games.tutto.rulesets import (
    ABACUS_2013,
    BRAILLESPIEL,
    RULESETS,
    VOLLE_LOTTE,
    Ruleset,
)
from service.games.tutto.scoring import aside
from service.games.tutto.tables import KEPT_TABLES, PUBLISHED, aim_of, has_tables, tables_for
from service.games.tutto.turn import Over, Reason, Turn, roll_outcome

BONUS_300, BONUS_600 = CARDS["bonus-300"], CARDS["bonus-600"]
FACES = range(1, 7)


# Figures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "niete", "tutto"),
    [
        (1, "2/3", "1/3"),
        (2, "4/9", "7/27"),
        (3, "5/18", "119/486"),
        (4, "17/108", "6583/26244"),
        (5, "25/324", "2217071/8503056"),
        (6, "5/162", "2239790155/8264970432"),
    ],
)
def test_the_next_roll_is_a_niete_or_leads_to_a_tutto(dice: int, niete: str, tutto: str) -> None:
    assert next_roll(BONUS_300, dice) == (dice, Fraction(niete), Fraction(tutto))


def test_a_straight_from_six_dice() -> None:
    assert next_roll(STRAIGHT, 6) == (6, 0, Fraction("208305300715/1057916215296"))


@pytest.mark.parametrize(
    ("rules", "card", "points"),
    [
        (ABACUS_2013, None, "365.6502"),
        (BRAILLESPIEL, None, "365.6502"),
        (VOLLE_LOTTE, None, "370.5864"),
        (ABACUS_2013, "firework", "622.6381"),
        (VOLLE_LOTTE, "firework", "677.391"),
        (ABACUS_2013, "bonus-200", "440.103"),
        (ABACUS_2013, "bonus-300", "444.716"),
        (ABACUS_2013, "bonus-400", "449.774"),
        (ABACUS_2013, "bonus-500", "455.448"),
        (ABACUS_2013, "bonus-600", "462.107"),
        (ABACUS_2013, "double", "467.568"),
        (ABACUS_2013, "clover", "440.639"),
        (ABACUS_2013, "straight", "393.803"),
        (ABACUS_2013, "plus-minus", "270.998"),
    ],
)
def test_a_turn_that_has_not_begun_and_each_card(
    rules: Ruleset, card: str | None, points: str
) -> None:
    found = value(Question(Position(rules, card and CARDS[card])))
    assert f"{found:.{len(points.partition('.')[2])}f}" == points


@pytest.mark.parametrize(
    ("reach", "chance"), [(1000, "0.217912"), (2000, "0.064493"), (6000, "0.002881")]
)
def test_the_chance_to_write_so_many_points(reach: int, chance: str) -> None:
    assert f"{value(Question(Position(ABACUS_2013), reach)):.6f}" == chance


def test_after_a_tutto_banking_is_better_from_950_points_on() -> None:
    """The last die, a 5, is a Tutto of 300 and so many points of the bonus."""
    for held in range(500, 3000, 50):
        kept = aside(((1,),) * 5)
        carried = held - 500 - 50 - 300
        if carried < 0:
            continue
        position = Position(ABACUS_2013, BONUS_300, kept, (5,), carried)
        found = all_odds(Question(position))
        assert found.best is not None
        assert (found.choices[found.best].event == Bank()) is (held >= 950), held


# The values against the rules ---------------------------------------------------------------------


def after(position: Position, event: SetAside | Bank | Roll | Draw) -> Turn:
    return event.play(position).turn


def written(question: Question, over: Over) -> float:
    """What the end of a turn is worth, said plainly (O5, O6)."""
    if question.reach is None:
        return question.position.rules.target if over.reason is Reason.CLOVER else over.points
    return float(over.reason is Reason.CLOVER or over.points >= question.reach)


def events(position: Position) -> Iterator[SetAside | Bank]:
    """Every legal event of a roll, in the order of the adjudication."""
    for keep in roll_outcome(position).can.keeps:
        yield SetAside(keep.dice)
    if "bank" in legal_events(position):
        yield Bank()


def brute(question: Question, turn: Turn) -> float:
    """The value of a turn by trying all that the rules allow, up to the next draw."""
    if isinstance(turn, Over):
        return written(question, turn)
    if turn.phase is Phase.DRAW:
        return value(question._replace(position=turn))
    if turn.phase is Phase.KEEP:
        return max(brute(question, after(turn, event)) for event in events(turn))
    return _brute_roll(question, turn)


@cache
def _brute_roll(question: Question, position: Position) -> float:
    rolls = list(product(FACES, repeat=position.dice_to_roll))
    return fmean(brute(question, after(position, Roll(roll))) for roll in rolls)


def questions(seed: int, number: int, dice: int) -> Iterator[Question]:
    """Positions before a roll of so many dice at most, with aims, piles and scores."""
    rng = Random(seed)
    while number:
        options = {
            "firework_keep": rng.choice(("all", "any")),
            "double_scope": rng.choice(("turn", "card")),
            "leader_draws_plus_minus": rng.choice(("sits-out", "plays")),
            "sits_out_loses_carried": rng.random() < 0.5,
            "deduction": rng.choice(("on-tutto", "on-bank")),
        }
        rules = ABACUS_2013.house(options)
        card = rng.choice([card for card in DECK if card is not STOP])
        position = Position(rules, card, carried=50 * rng.choice((0, 0, 6, 15, 30, 200)))
        if card is CLOVER:
            position = position._replace(tuttos=rng.randint(0, 1))
        while position.dice_to_roll > dice:
            thrown = tuple(sorted(rng.choices(FACES, k=position.dice_to_roll)))
            keeps = roll_outcome(position._replace(roll=thrown)).can.keeps
            keeps = tuple(one for one in keeps if len(one.dice) < position.dice_to_roll)
            if keeps:
                kept = (*position.aside.keeps, rng.choice(keeps).dice)
                position = position._replace(aside=aside(kept, card is STRAIGHT))
        if rng.random() < 0.5:
            scores = rng.choice(((3000, 3000, 0), (1000, 2000, 0), (2000, 1000, 1500)))
            if card is not PLUS_MINUS or scores[0] <= scores[1]:
                position = position._replace(scores=scores, player=0)
        reach = rng.choice((None, None, 50 * rng.randint(1, 60)))
        pile = tuple(rng.randint(0, card.copies) for card in DECK)
        yield Question(position, reach, rng.choice((None, pile)))
        number -= 1


@pytest.mark.parametrize("question", list(questions(1, 150, 3)))
def test_up_to_three_dice_by_trying_everything(question: Question) -> None:
    """All outcomes and choices up to the next draw, clovers' and fireworks' second rounds aside."""
    if question.position.card in (CLOVER, FIREWORK):
        pytest.fail("taken out below")
