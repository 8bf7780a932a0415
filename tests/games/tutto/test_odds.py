"""Values of positions of Tutto, against published figures, the rules and brute force."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from fractions import Fraction
from functools import cache
from itertools import product
from math import fsum
from random import Random

import pytest

from dice_referee.games.tutto.cards import (
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
from dice_referee.games.tutto.events import Bank, Draw, Roll, SetAside
from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.leaders import deduct
from dice_referee.games.tutto.position import (
    Over,
    Phase,
    Position,
    Reason,
    Turn,
)
from dice_referee.games.tutto.possible import impossibilities
from dice_referee.games.tutto.rulesets import (
    ABACUS_2013,
    BRAILLESPIEL,
    RULESETS,
    VOLLE_LOTTE,
    Ruleset,
)
from dice_referee.games.tutto.scoring import scoring_of
from dice_referee.games.tutto.values import piles
from dice_referee.games.tutto.values.odds import (
    KEPT_VALUE_TABLES,
    Question,
)
from dice_referee.games.tutto.values.rows import first_best
from tests.games.tutto.plain_turn import LeadingTurn

BONUS_300, BONUS_600 = CARDS["bonus-300"], CARDS["bonus-600"]
FACES = range(1, 7)
SCORING = scoring_of(ABACUS_2013)


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
def test_next_roll_has_the_published_chances_by_dice(dice: int, niete: str, tutto: str) -> None:
    roll = SCORING.next_roll(BONUS_300, dice)
    assert astuple(roll) == (dice, Fraction(niete), Fraction(tutto))


def test_straight_from_six_dice_has_the_published_chance() -> None:
    chance = Fraction("208305300715/1057916215296")
    assert astuple(SCORING.next_roll(STRAIGHT, 6)) == (6, Fraction(), chance)


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
def test_turn_and_cards_have_the_published_values(
    rules: Ruleset, card: str | None, points: str
) -> None:
    computed = Question(Position(rules, CARDS[card] if card else None)).value()
    assert f"{computed:.{len(points.partition('.')[2])}f}" == points


def test_second_tutto_of_a_clover_has_the_value_of_the_target() -> None:
    tutto = float(Fraction("2239790155/8264970432"))
    for reach, worth_of_it in ((None, 6000), (1000, 1)):
        second = Question(Position(ABACUS_2013, CLOVER, tuttos=1), reach)
        assert second.value() == pytest.approx(tutto * worth_of_it, abs=1e-9)
        first = second._replace(position=Position(ABACUS_2013, CLOVER))
        assert first.value() == pytest.approx(tutto**2 * worth_of_it, abs=1e-9)


@pytest.mark.parametrize(
    ("reach", "chance"), [(1000, "0.217912"), (2000, "0.064493"), (6000, "0.002881")]
)
def test_turn_reaches_points_with_the_published_chance(reach: int, chance: str) -> None:
    assert f"{Question(Position(ABACUS_2013), reach).value():.6f}" == chance


def test_banking_after_a_tutto_is_best_from_950_points_on() -> None:
    """Tests Tuttos with ``held`` points, the bonus included, which a last 5 completes."""
    for held in range(500, 3000, 50):
        five_ones = SCORING.aside(((1,),) * 5)
        carried = held - 500 - 50 - 300
        if carried < 0:
            continue
        position = Position(ABACUS_2013, BONUS_300, five_ones, (5,), carried)
        answer = Question(position).odds()
        assert answer.best is not None
        assert (answer.choices[answer.best].event == Bank()) is (held >= 950), held


# The values against the rules ---------------------------------------------------------------------


def after(position: Position, event: SetAside | Bank | Roll | Draw) -> Turn:
    return event.play(position).turn


def end_value(question: Question, over: Over) -> float:
    """Returns the value of the end of a turn, computed plainly (O5, O6)."""
    if question.reach is None:
        return question.position.rules.target if over.reason is Reason.CLOVER else over.points
    return float(over.reason is Reason.CLOVER or over.points >= question.reach)


def events(position: Position) -> Iterator[SetAside | Bank]:
    """Yields the legal events of a roll in the order of the adjudication."""
    for keep in position.roll_result.can.keeps:
        yield SetAside(keep.dice)
    if "bank" in position.legal_events:
        yield Bank()


ROLLS = {dice: Counter(tuple(sorted(r)) for r in product(FACES, repeat=dice)) for dice in FACES}
"""Counts of sorted rolls by the number of dice: 46,656 rolls of six."""


def by_trying(question: Question, turn: Turn, dice: int) -> float:
    """Returns the value of a turn, by every legal event while at most ``dice`` dice are rolled."""
    if isinstance(turn, Over):
        return end_value(question, turn)
    now = question._replace(position=turn)
    if turn.phase is Phase.KEEP:
        return max(by_trying(question, after(turn, event), dice) for event in events(turn))
    if turn.phase is Phase.DRAW or turn.dice_to_roll > dice:
        return now.value()
    return _by_rolling(now, dice)


@cache
def _by_rolling(question: Question, dice: int) -> float:
    position = question.position
    rolls = ROLLS[position.dice_to_roll].items()
    terms = [n * by_trying(question, after(position, Roll(roll)), dice) for roll, n in rolls]
    return fsum(terms) / ROLLS[position.dice_to_roll].total()


def questions(seed: int, number: int, dice: int) -> Iterator[Question]:
    """Yields random questions before a roll of at most ``dice`` dice."""
    rng = Random(seed)
    while number:
        # Each combination builds its own tables, which takes a while, so five suffice.
        options = {
            **rng.choice(
                (
                    {"firework_keep": "all", "double_scope": "card"},
                    {"firework_keep": "any", "equal_dice": "doubled"},
                    {"firework_keep": "any", "plus_minus_pays": "exactly"},
                    {"plus_minus_tutto": "ends-turn"},
                    {"plus_minus_tutto": "ends-turn", "plus_minus_pays": "exactly"},
                )
            ),
            "leaders": rng.choice(("sheet", "turn")),
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
            rolled = tuple(sorted(rng.choices(FACES, k=position.dice_to_roll)))
            keeps = position._replace(roll=rolled).roll_result.can.keeps
            keeps = tuple(keep for keep in keeps if len(keep.dice) < position.dice_to_roll)
            if keeps:
                all_keeps = (*position.aside.keeps, rng.choice(keeps).dice)
                aside = scoring_of(rules).aside(all_keeps, card is STRAIGHT)
                position = position._replace(aside=aside)
        if rng.random() < 0.5:
            scores = rng.choice(((3000, 3000, 0), (1000, 2000, 0), (2000, 1000, 1500)))
            on_sheet = position._replace(scores=scores, player=0)
            if not impossibilities(on_sheet, {}):
                position = on_sheet
        reach = rng.choice((None, None, 300, 1000, 2050))
        pile = tuple(rng.randint(0, card.copies) for card in DECK)
        yield Question(position, reach, rng.choice((None, pile)))
        number -= 1


def test_values_of_up_to_three_dice_equal_brute_force() -> None:
    """Follows turns to the next draw, or to six fresh dice on a firework or clover."""
    for question in questions(1, 400, 3):
        assert question.value() == pytest.approx(_by_rolling(question, 3), abs=1e-9), question


@pytest.mark.long
def test_values_of_up_to_six_dice_follow_from_one_roll() -> None:
    """Expects each value to follow from the values after a roll of the dice."""
    for question in questions(2, 60, 6):
        dice = question.position.dice_to_roll
        rolls = ROLLS[dice].items()
        now = [(n, after(question.position, Roll(roll))) for roll, n in rolls]
        mean = sum(n * by_trying(question, turn, 0) for n, turn in now) / 6**dice
        assert question.value() == pytest.approx(mean, abs=1e-9), question


def test_value_of_a_draw_is_the_mean_over_every_card() -> None:
    """Takes the pile after the drawn card as complete, and Plus/Minus as played (O4, O8)."""
    for question in questions(3, 200, 6):
        position = question.position._replace(card=None, aside=SCORING.aside(()), tuttos=0)
        drawing = question._replace(position=position)
        pile = (
            drawing.pile if drawing.pile and sum(drawing.pile) else [card.copies for card in DECK]
        )
        mean = 0.0
        for card, copies in zip(DECK, pile, strict=True):
            turn = after(position, Draw(card))
            if isinstance(turn, Position):
                turn = turn._replace(scores=None, player=None)
            mean += copies * by_trying(drawing._replace(pile=None), turn, 0) / sum(pile)
        assert drawing.value() == pytest.approx(mean, abs=1e-9), drawing
        cards = drawing.odds().cards
        assert sum(card.chance for card in cards) == 1
        assert sum(card.chance * card.value for card in cards) == pytest.approx(mean, abs=1e-9)


def test_chances_of_the_next_roll_equal_brute_force() -> None:
    """Expects the chances of a Tutto and a Niete for a player who wants only a Tutto (O9)."""

    @cache
    def tutto(position: Position) -> Fraction:
        total = Fraction()
        for roll, n in ROLLS[position.dice_to_roll].items():
            turn = after(position, Roll(roll))
            if isinstance(turn, Position):
                left = [after(turn, event) for event in events(turn) if isinstance(event, SetAside)]
                total += n * max(map(tutto_after, left))
        return total * Fraction(1, 6**position.dice_to_roll)

    def tutto_after(turn: Turn) -> Fraction:
        going = isinstance(turn, Position) and turn.phase is Phase.ROLL and turn.aside.number
        return tutto(turn) if going and isinstance(turn, Position) else Fraction(1)

    for question in questions(4, 60, 4):
        position = question.position
        if position.card is FIREWORK:
            # The chance on a firework assumes a free choice under every rule.
            free = position.rules.house({"firework_keep": "any"})
            position = position._replace(rules=free)
        dice = position.dice_to_roll
        rolls = ROLLS[dice].items()
        nietes = sum(n for roll, n in rolls if isinstance(after(position, Roll(roll)), Over))
        chances = question.odds().roll
        assert chances is not None
        assert astuple(chances) == (dice, Fraction(nietes, 6**dice), tutto(position))


# Choices ------------------------------------------------------------------------------------------


def questions_with_dice(seed: int, number: int) -> Iterator[Question]:
    """Yields questions whose dice on the table leave a choice."""
    rng = Random(seed)
    for question in questions(seed, number, 6):
        position = question.position
        rolled = tuple(sorted(rng.choices(FACES, k=position.dice_to_roll)))
        turn = position._replace(roll=rolled)
        if turn.roll_result.can.keeps:
            yield question._replace(position=turn)


def test_choices_have_the_value_of_the_following_turn() -> None:
    for question in questions_with_dice(5, 500):
        position, options = question.position, question.choices()
        assert [choice.event for choice in options] == list(events(position))
        for choice in options:
            assert not list(choice.event.objections(position, ""))
            turn = after(position, choice.event)
            expected = by_trying(question, turn, 0)
            assert choice.value == pytest.approx(expected, abs=2e-9)
            assert question.worth(choice.event) == choice.value
            assert question.worth_after(choice.event, turn) == pytest.approx(expected, abs=1e-9)
            following = None
            if isinstance(turn, Position) and turn.card is not None:
                scoring = scoring_of(turn.rules)
                following = scoring.next_roll(turn.card, turn.dice_to_roll)
            assert choice.next_roll == following


def test_best_choice_is_the_first_with_the_highest_value() -> None:
    for question in questions_with_dice(6, 500):
        answer = question.odds()
        values = [choice.value for choice in answer.choices]
        assert answer.value == max(values) == question.value()
        assert answer.best == first_best(values)


def test_order_of_dice_leaves_the_value_of_a_choice_unchanged() -> None:
    position = Position(ABACUS_2013, BONUS_300, roll=(1, 2, 3, 4, 5, 6))
    question = Question(position)
    assert question.worth(SetAside((5, 1))) == question.worth(SetAside((1, 5)))
    for event, before in ((Draw(), Position(ABACUS_2013)), (Roll(), position._replace(roll=None))):
        assert Question(before).worth(event) == Question(before).value()


def test_first_of_equal_values_is_best_despite_float_noise() -> None:
    assert first_best([1, 3, 3]) == 1
    assert first_best([1, 3 - 1e-12, 3]) == 1
    assert first_best([1, 3 - 1e-6, 3]) == 2
    assert first_best([1, 1e9]) == 1


def test_unreachable_points_have_chance_0_and_the_first_choice() -> None:
    """Tests a pile of Stops and a Tutto that falls short of the points to reach."""
    stops = tuple(card.copies * (card is STOP) for card in DECK)
    position = Position(ABACUS_2013, BONUS_300, roll=(1, 1, 2, 3, 4, 6))
    answer = Question(position, 10_000, stops).odds()
    assert (answer.value, answer.best) == (0, 0)


@pytest.mark.parametrize(
    ("rules", "carried", "sat_out"),
    [
        (ABACUS_2013, 500, 0),
        (ABACUS_2013.house({"sits_out_loses_carried": False}), 500, 500),
        (BRAILLESPIEL, 500, None),
    ],
)
def test_leader_sits_out_when_the_next_card_is_plus_minus(
    rules: Ruleset, carried: int, sat_out: int | None
) -> None:
    """Values count a later Plus/Minus of the same turn as played (O8)."""
    alone = Position(rules, carried=carried)
    leading, led = (alone._replace(scores=scores, player=0) for scores in ((50, 0), (0, 50)))
    by_card = {card.card: card.value for card in Question(leading).odds().cards}
    played = {card.card: card.value for card in Question(alone).odds().cards}
    assert by_card == played | ({} if sat_out is None else {PLUS_MINUS: sat_out})
    assert Question(led).value() == Question(alone).value()
    cites = Question(leading).odds().rules
    assert ({"O8", "T5.5b"} <= cites) is (sat_out is not None)


def test_plus_minus_tutto_can_make_the_player_the_leader() -> None:
    """The next Plus/Minus ends a leader's turn, so drawing is worth less (T5.5b, T5.5d)."""
    five = SCORING.aside(((1,),) * 5)
    joint = Position(ABACUS_2013, PLUS_MINUS, five, (1,), scores=(3000, 3000), player=0)
    behind = joint._replace(scores=(0, 3000))
    assert Question(joint).choices()[0].value < Question(behind).choices()[0].value
    # The same holds before the Tutto if the aim exceeds its 1000 points. Each sheet loses 1000
    # once.
    fresh = Position(ABACUS_2013, PLUS_MINUS, player=0)
    sheets = ((3000, 3000), (0, 3000), (1000, 2500))
    ahead, *back = (Question(fresh._replace(scores=sheet), 1050).value() for sheet in sheets)
    assert [ahead < chance for chance in back] == [True, True]
    assert len(set(back)) == 1
    waiting = ABACUS_2013.house({"deduction": "on-bank"})
    values = (
        Question(position._replace(rules=waiting)).choices()[0].value
        for position in (joint, behind)
    )
    assert len(set(values)) == 1


def assert_plain_recursion_agrees(
    leaders: str,
    pays: str,
    loses: bool,
    opponents: Iterable[int],
    sums: Iterable[int],
    tutto: str = "goes-on",
) -> None:
    """Compares the values of turns of a player with 1000 points with those of the recursion."""
    options = {"leaders": leaders, "plus_minus_pays": pays, "sits_out_loses_carried": loses}
    options["plus_minus_tutto"] = tutto
    rules = ABACUS_2013.house(options)
    for opponent in opponents:
        plain = LeadingTurn(rules, 1000 - opponent)
        for carried in sums:
            drawing = Position(rules, carried=carried, scores=(1000, opponent), player=0)
            expected = plain.drawing(carried)
            assert Question(drawing).value() == pytest.approx(expected, abs=1e-9)
            for card in (BONUS_300, DOUBLE, STRAIGHT):
                rolling = drawing._replace(card=card)
                expected = plain.on(card, carried)
                assert Question(rolling).value() == pytest.approx(expected, abs=1e-9)
            played = drawing._replace(card=PLUS_MINUS)
            if not impossibilities(played, {}):
                # A Tutto costs the opponent 1000 points if the opponent leads.
                pays_now = deduct(rules, (1000, opponent), 0, 1, carried).scores
                assert pays_now is not None
                expected = LeadingTurn(rules, 1000 - pays_now[1]).on(PLUS_MINUS, carried)
                assert Question(played).value() == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(
    ("leaders", "pays", "loses", "tutto"),
    [
        ("sheet", "beside", True, "goes-on"),
        ("turn", "exactly", False, "goes-on"),
        ("turn", "beside", False, "ends-turn"),
    ],
)
def test_leading_turn_value_equals_plain_recursion(
    leaders: str, pays: str, loses: bool, tutto: str
) -> None:
    """Carried points decide who sits out at the next draw, under ``turn`` only (T5.5g, O8)."""
    assert_plain_recursion_agrees(leaders, pays, loses, (950, 1600), (600, 650), tutto)


@pytest.mark.long
@pytest.mark.parametrize("tutto", ["goes-on", "ends-turn"])
@pytest.mark.parametrize("pays", ["beside", "exactly"])
@pytest.mark.parametrize("leaders", ["sheet", "turn"])
@pytest.mark.parametrize("loses", [True, False])
def test_every_leading_turn_value_equals_plain_recursion(
    leaders: str, pays: str, loses: bool, tutto: str
) -> None:
    opponents, sums = (950, 1000, 1600, 2550), (0, 50, 600, 650, 1550)
    assert_plain_recursion_agrees(leaders, pays, loses, opponents, sums, tutto)


@pytest.mark.parametrize("reach", [None, 300, 1000, 1050, 2050, 10_000])
def test_exactly_1000_has_the_same_value_for_any_carried_points(reach: int | None) -> None:
    """Expects the value of 1000 points, banked or carried on (T5.5h)."""
    rules = ABACUS_2013.house({"plus_minus_pays": "exactly"})
    tutto = float(SCORING.next_roll(PLUS_MINUS, 6).tutto)
    held = max(
        end_value(Question(Position(rules), reach), bank_result(rules, 1000)),
        Question(Position(rules, carried=1000), reach).value(),
    )
    for carried in (0, 1000, 5000, 1_000_000):
        turn_value = Question(Position(rules, PLUS_MINUS, carried=carried), reach).value()
        assert turn_value == pytest.approx(tutto * held, abs=1e-11)


def bank_result(rules: Ruleset, points: int) -> Over:
    return Over(rules, Reason.BANKED, points, None, None, None)


# Directions ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_free_firework_and_double_of_the_turn_raise_values() -> None:
    for reach in (None, 500, 1000, 3000):
        for question in questions(7, 60, 6):
            rules = question.position.rules
            free, bound, turn, card = (
                Question(question.position._replace(rules=rules.house(options)), reach).value()
                for options in (
                    {"firework_keep": "any"},
                    {"firework_keep": "all"},
                    {"double_scope": "turn"},
                    {"double_scope": "card"},
                )
            )
            assert free >= bound - 1e-9
            assert turn >= card - 1e-9
    firework = Position(ABACUS_2013, FIREWORK)
    freely = firework._replace(rules=VOLLE_LOTTE)
    assert Question(freely).value() > Question(firework).value()
    doubled = Position(ABACUS_2013, DOUBLE, carried=500)
    apart = doubled._replace(rules=ABACUS_2013.house({"double_scope": "card"}))
    assert Question(doubled).value() > Question(apart).value()


def test_pile_without_stops_raises_the_value() -> None:
    pile = tuple(0 if card is STOP else card.copies for card in DECK)
    for carried in (0, 500, 5000):
        position = Position(ABACUS_2013, carried=carried)
        without = Question(position, pile=pile).value()
        assert without > Question(position).value()
        assert without == pytest.approx(Question(position).value() * 56 / 46)
    last = Position(ABACUS_2013, BONUS_600, SCORING.aside(((1,),) * 5), (1,))
    assert Question(last, pile=pile).choices()[0].value > Question(last).choices()[0].value


def test_pile_affects_the_value_before_the_tutto() -> None:
    """Tests a pile of fireworks, so that a Tutto earns 1000 points and a firework."""
    fireworks = tuple(card.copies * (card is FIREWORK) for card in DECK)
    both = 1000 + Question(Position(ABACUS_2013, FIREWORK)).value()
    turn_value = Question(Position(ABACUS_2013, PLUS_MINUS), pile=fireworks).value()
    assert turn_value == pytest.approx(both * 2239790155 / 8264970432, abs=1e-9)


def test_value_never_falls_with_carried_points() -> None:
    for reach in (None, 1000):
        for card in (None, *CARDS.values()):
            if card is STOP:
                continue
            position = Position(ABACUS_2013, card)
            values = [
                Question(position._replace(carried=50 * steps), reach).value()
                for steps in range(400)
            ]
            assert values == sorted(values), card


def test_values_exist_for_a_target_of_a_million() -> None:
    rules = ABACUS_2013.house({"target": 1_000_000})
    for card in CARDS.values():
        if card is STOP:
            continue
        few, many = (
            Question(Position(rules, card, carried=carried)).value()
            for carried in (1_000_000, 1_000_050)
        )
        assert few <= many < few + 101


def test_empty_pile_counts_as_a_complete_pile() -> None:
    position = Position(ABACUS_2013)
    empty = Question(position, pile=(0,) * len(DECK)).odds()
    full = Question(position).odds()
    assert (empty.pile, empty.value) == (full.pile, full.value)
    assert empty.rules == full.rules | {"T4.3"}


@pytest.mark.parametrize(
    ("position", "reach", "more"),
    [
        (Position(ABACUS_2013), None, {"O3", "O5", "T4.2"}),
        (Position(ABACUS_2013), 1000, {"O3", "O6", "T4.2"}),
        (Position(ABACUS_2013, STRAIGHT), None, {"O3", "O5", "O9", "T1.1", "T5.6"}),
        (
            Position(ABACUS_2013, BONUS_300, scores=(50, 0), player=0),
            None,
            {"O3", "O5", "O8", "O9", "T1.1", "T5.3", "T5.5b", "T5.5f"},
        ),
        (
            Position(ABACUS_2013, BONUS_300, roll=(1, 2, 3, 4, 6, 6)),
            None,
            {"O3", "O5", "O9", "T1.2", "T2.2", "T2.5"},
        ),
    ],
)
def test_odds_cite_the_rules_of_the_phase(
    position: Position, reach: int | None, more: set[str]
) -> None:
    always = {"O1", "O2", "O4", "O7", "T4.1"}
    assert Question(position, reach).odds().rules == always | more


# Impossible questions -----------------------------------------------------------------------------


def test_finished_turn_has_no_odds() -> None:
    niete = Position(ABACUS_2013, BONUS_300, roll=(2, 2, 3, 3, 4, 4))
    (finding,) = Question(niete).impossibilities()
    assert (finding.code, finding.rule, finding.pointer) == ("turn-over", "T2.1", "/roll")


def test_pile_with_more_cards_than_the_deck_is_impossible() -> None:
    pile = tuple(card.copies + (card in (STOP, CLOVER)) for card in DECK)
    findings = Question(Position(ABACUS_2013), pile=pile).impossibilities()
    assert [finding.pointer for finding in findings] == ["/pile/clover", "/pile/stop"]
    assert {finding.code for finding in findings} == {"too-many-in-pile"}
    deck = tuple(card.copies for card in DECK)
    assert Question(Position(ABACUS_2013), pile=deck).impossibilities() == ()


def test_public_pile_follows_draws_and_shuffles() -> None:
    pile = piles.pile_of(None)
    for card in PILE:
        pile = piles.pile_after(pile, Draw(card))
        assert piles.pile_after(pile, Bank()) == piles.pile_after(pile, Draw()) == pile
    assert not any(pile)
    shuffled = piles.pile_after(pile, Draw(CLOVER))
    assert sum(shuffled) == len(PILE) - 1
    # A second clover shows that the table has shuffled (T4.4).
    assert piles.pile_after(shuffled, Draw(CLOVER)) == shuffled
    assert piles.pile_of(range(len(PILE))) == piles.pile_of(None)
    left = [PILE.index(STOP), PILE.index(FIREWORK), PILE.index(FIREWORK) + 1]
    counts = {
        card: copies for card, copies in zip(DECK, piles.pile_of(left), strict=True) if copies
    }
    assert counts == {STOP: 1, FIREWORK: 2}
    question = GAME.question_at(Position(ABACUS_2013), shuffled)
    assert (question.reach, question.odds().pile) == (None, shuffled)


def test_question_has_its_unit_and_flag_of_a_choice() -> None:
    position = Position(ABACUS_2013, BONUS_300)
    assert Question(position).unit == "points"
    assert Question(position, 1000).unit == "chance"
    assert not Question(position).leaves_a_choice
    assert Question(position._replace(roll=(2, 2, 3, 3, 4, 5))).leaves_a_choice
    forced = Position(ABACUS_2013, FIREWORK, roll=(1, 1, 3, 3, 4, 5))
    assert not Question(forced).leaves_a_choice


@pytest.mark.long
def test_cache_evicts_house_tables_but_no_published_tables() -> None:
    position = Position(ABACUS_2013)
    for rules in RULESETS.values():
        Question(position._replace(rules=rules)).value()
    # No other test plays to one of these targets, so no table of theirs is cached yet.
    targets = range(51, 51 + KEPT_VALUE_TABLES + 2)
    for target in targets:
        question = Question(position._replace(rules=ABACUS_2013.house({"target": target})))
        assert not GAME.is_prepared(question)
        question.value()
        assert GAME.is_prepared(question)
    first = ABACUS_2013.house({"target": targets[0]})
    assert not GAME.is_prepared(Question(position._replace(rules=first)))
    for rules in RULESETS.values():
        assert GAME.is_prepared(Question(position._replace(rules=rules)))


@pytest.mark.parametrize(
    "options",
    [
        {"deduction": "on-bank"},
        {"ending": "full-round"},
        {"leader_draws_plus_minus": "plays"},
        {"leaders": "turn"},
        {"score_floor": "zero"},
        {"sits_out_loses_carried": False},
    ],
)
def test_options_about_scores_share_published_value_tables(options: dict[str, object]) -> None:
    assert GAME.is_published(Question(Position(ABACUS_2013.house(options))))


@pytest.mark.parametrize(
    "options",
    [
        {"double_scope": "card"},
        {"plus_minus_pays": "exactly"},
        {"plus_minus_tutto": "ends-turn"},
    ],
)
def test_options_about_cards_have_their_own_value_tables(options: dict[str, object]) -> None:
    assert not GAME.is_published(Question(Position(ABACUS_2013.house(options))))
