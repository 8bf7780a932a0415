"""Steps of a game: each keeps the facts of the turn, and a choice is worth what it leads to.

The sheet of the game tells its last round and its winners without any value.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.games.tutto.cards import CARDS, DECK, PLUS_MINUS, STRAIGHT
from service.games.tutto.events import Bank, Draw, Event, Roll, SetAside, legal_events
from service.games.tutto.position import Phase, Position
from service.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from service.games.tutto.rulesets import RULESETS, Deduction, Ending, Leaders, Ruleset, ScoreFloor
from service.games.tutto.table import Table, after, new_table
from service.games.tutto.turn import Over, Reason, Turn, roll_result
from service.games.tutto.values.duels import Duel, has_win_chances
from service.games.tutto.values.odds import Question, value, worth, worth_after
from service.rules.dice import FACES, as_dice
from tests.games.test_laws import long_run
from tests.games.tutto.table import random_table


def choices(position: Position) -> list[Event]:
    """Returns the legal choices of a roll."""
    keeps: list[Event] = [SetAside(keep.dice) for keep in roll_result(position).can.keeps]
    return [*keeps, Bank()] if "bank" in legal_events(position) else keeps


def random_event(rng: Random, position: Position) -> Event:
    """Returns a random event; Tuttos are likely."""
    if position.phase is Phase.DRAW:
        return Draw(rng.choice((*DECK, PLUS_MINUS, PLUS_MINUS)))
    if position.phase is Phase.ROLL:
        faces = FACES if position.card is STRAIGHT else (1, 1, 2, 2, 5)
        return Roll(as_dice(rng.choices(faces, k=position.dice_to_roll)))
    return rng.choice(choices(position))


# Facts --------------------------------------------------------------------------------------------


def random_rules(rng: Random) -> Ruleset:
    table = random_table(rng)
    options = {"target": rng.choice((1000, 3000))} | table.get("options", {})
    return RULESETS[table.get("ruleset", "abacus-2013")].house(options)


def makes_plus_minus_tutto(position: Position, event: Event) -> bool:
    if position.card is not PLUS_MINUS:
        return False
    return isinstance(event, Bank) or (
        isinstance(event, SetAside) and len(event.dice) == position.dice_to_roll
    )


def writes(rules: Ruleset, turn: Turn) -> bool:
    """Says whether the turn has ended and writes its points."""
    reasons = {Reason.BANKED, Reason.FIREWORK}
    if not rules.sits_out_loses_carried:
        reasons.add(Reason.SAT_OUT)
    return isinstance(turn, Over) and turn.reason in reasons


def deducted(position: Position, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the scores after 1000 points from each leader but the player (T5.5)."""
    counted, rules = list(scores), position.rules
    assert position.player is not None
    counted[position.player] += position.carried * (rules.leaders is Leaders.TURN)
    return tuple(
        score
        if i == position.player or counted[i] < max(counted)
        else max(score - 1000, min(score, 0))
        if rules.score_floor is ScoreFloor.ZERO
        else score - 1000
        for i, score in enumerate(scores)
    )


@long_run
@given(seed=st.integers(0, 2**32 - 1))
def test_each_step_keeps_scores_deductions_and_last_round(seed: int) -> None:
    rng = Random(seed)
    rules, tuttos = random_rules(rng), 0
    table = new_table(rules, rng.randint(2, 4))
    scores = table.scores
    while isinstance(table.turn, Position):
        position, player = table.turn, table.player
        event = random_event(rng, position)
        turn = event.play(position).turn
        tuttos += makes_plus_minus_tutto(position, event)
        if rules.deduction is Deduction.ON_TUTTO or writes(rules, turn):
            for _ in range(tuttos):
                scores = deducted(position, scores)
            tuttos = 0
        if isinstance(turn, Over):
            scores, tuttos = add(scores, player, turn.points), 0
        assert turn.scores == scores
        assert (turn.rules, turn.player) == (rules, player)
        table = after(table, event.play(position))
        if isinstance(turn, Position):
            assert turn.pending_deductions == tuttos
        else:
            told = rules.ending is Ending.AT_ONCE or turn.reason is Reason.CLOVER
            assert turn.wins_game == (player in table.winners if told else None)
        if isinstance(table.turn, Position):
            reached = any(score >= rules.target for row in table.sheet for score in row)
            assert table.turn.last == reached


def add(scores: tuple[int, ...], player: int, points: int) -> tuple[int, ...]:
    return tuple(score + points * (i == player) for i, score in enumerate(scores))


# Values -------------------------------------------------------------------------------------------


OPTIONS_OF_THE_SHEET = frozenset(
    {
        *("deduction", "leader_draws_plus_minus", "leaders"),
        *("score_floor", "sits_out_loses_carried"),
    }
)
"""Options that share the value tables of the published rules."""


def duels(rules: Ruleset, rng: Random) -> Iterator[Table]:
    """Yields tables of two near the end of their game, often in the last round (T6.5)."""
    for seat, last in (*product((0, 1), (False, False)), (1, True), (1, True)):
        own = rng.randrange(rules.target - 1500, rules.target, 50)
        opponent = rng.randrange(own - 800, min(own + 1200, rules.target), 50)
        scores = (opponent, own) if seat else (own, opponent)
        last = last and rules.ending is Ending.FULL_ROUND
        yield Table(Position(rules, scores=scores, player=seat, last=last), triggered=last)
    if rules.ending is Ending.FULL_ROUND:
        # The scores show the last round, also after two deductions; the position leaves it out.
        scores = (rules.target + 2300, rules.target - 500)
        yield Table(Position(rules, scores=scores, player=1), triggered=True)


def chance(table: Table, player: int) -> float:
    """Returns the chance of the player to win, by the winners, the solved table or the turn."""
    if table.winners:
        return (player in table.winners) / len(table.winners)
    if table.player != player:
        own, opponent = table.scores[1 - player], table.scores[player]
        return 1 - Duel(table.turn.rules, own, opponent, 1 - player, table.triggered).chance()
    assert isinstance(table.turn, Position)
    return value(Question(table.turn._replace(last=table.triggered), win=True))


def falls(position: Position) -> list[Event]:
    """Returns every card or roll that may come, each as often as it comes."""
    if position.phase is Phase.DRAW:
        return [Draw(card) for card in CARDS.values() for _ in range(card.copies)]
    return [Roll(as_dice(dice)) for dice in product(FACES, repeat=position.dice_to_roll)]


def points(table: Table, turn: Turn) -> float:
    """Returns the points that the turn has written, or may expect to write."""
    if isinstance(turn, Position):
        return value(Question(turn))
    return table.turn.rules.target if turn.reason is Reason.CLOVER else turn.points


def expect_worth_of_events(rng: Random, table: Table, win: bool) -> None:
    """Expects every position of a random turn to be worth what its events lead to.

    Expected points look at the sheet for one draw ahead (O8), so a draw has no such law there.
    """
    player = table.player
    while isinstance(table.turn, Position) and table.player == player:
        question, position = Question(table.turn, win=win), table.turn

        def reached(event: Event, table: Table = table, position: Position = position) -> float:
            step = event.play(position)
            following = after(table, step)
            return chance(following, player) if win else points(following, step.turn)

        if position.phase is Phase.KEEP:
            values = [reached(event) for event in choices(position)]
            told = [worth(question, event) for event in choices(position)]
            assert told == pytest.approx(values, abs=1e-8)
            assert value(question) == pytest.approx(max(values), abs=1e-8)
        elif win if position.phase is Phase.DRAW else position.dice_to_roll < 3:
            mean = fmean(map(reached, falls(position)))
            assert value(question) == pytest.approx(mean, abs=1e-8)
        event = random_event(rng, position)
        step = event.play(position)
        assert worth_after(question, event, step.turn) == pytest.approx(reached(event), abs=1e-8)
        table = after(table, step)


@pytest.mark.parametrize(
    "rules", [it for it in RULESETS.values() if has_win_chances(it)], ids=lambda it: it.id
)
def test_chance_to_win_is_that_after_the_next_event(rules: Ruleset) -> None:
    rng = Random(rules.id)
    for start in duels(rules, rng):
        for _ in range(15):
            expect_worth_of_events(rng, start, win=True)


def test_expected_points_are_those_after_the_next_event() -> None:
    """Leaves options alone that need value tables of their own."""
    rng = Random(41)
    for _ in range(150):
        options = {
            option.name: rng.choice(option.values)
            for option in DEFAULT.known_options
            if option.name in OPTIONS_OF_THE_SHEET
        }
        scores = tuple(rng.choices(range(0, 2000, 500), k=3))
        position = Position(DEFAULT.house(options), scores=scores, player=0)
        expect_worth_of_events(rng, Table(position), win=False)
