"""Steps of a game keep the facts of the turn, and a choice has the value of its outcome.

The sheet of the game alone determines its last round and its winners.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dice_referee.games.tutto.cards import CARDS, DECK, FIREWORK, PLUS_MINUS, STRAIGHT
from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.position import Over, Phase, Position, Reason, Turn
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import (
    RULESETS,
    Deduction,
    Ending,
    Leaders,
    Ruleset,
    ScoreFloor,
)
from dice_referee.games.tutto.state import GameState
from dice_referee.games.tutto.values.duels import Duel, has_win_chances
from dice_referee.games.tutto.values.odds import Question
from dice_referee.rulebook.dice import FACES, as_dice
from tests.application import answered
from tests.games.test_laws import long_run
from tests.games.tutto.random_games import random_setup


def choices(position: Position) -> list[Event]:
    """Returns the legal choices of a roll."""
    keeps: list[Event] = [SetAside(keep.dice) for keep in position.roll_result.can.keeps]
    return [*keeps, Bank()] if "bank" in position.legal_events else keeps


def random_event(rng: Random, position: Position) -> Event:
    """Returns a random event, often Plus/Minus or a Tutto."""
    if position.phase is Phase.DRAW:
        return Draw(rng.choice((*DECK, FIREWORK, *[PLUS_MINUS] * 5)))
    if position.phase is Phase.ROLL:
        faces = FACES if position.card is STRAIGHT else (1, 1, 2, 2, 5)
        return Roll(as_dice(rng.choices(faces, k=position.dice_to_roll)))
    return rng.choice(choices(position))


# Facts --------------------------------------------------------------------------------------------


def random_rules(rng: Random) -> Ruleset:
    """Returns random rules, half of them with deductions that wait for the bank (T5.5d)."""
    setup = random_setup(rng)
    options = {"target": rng.choice((1000, 3000))} | setup.get("options", {})
    options["deduction"] = rng.choice(tuple(Deduction))
    return RULESETS[setup.get("ruleset", "abacus-2013")].house(options)


def makes_plus_minus_tutto(position: Position, event: Event) -> bool:
    if position.card is not PLUS_MINUS:
        return False
    return isinstance(event, Bank) or (
        isinstance(event, SetAside) and len(event.dice) == position.dice_to_roll
    )


def writes(turn: Turn) -> bool:
    """Tells if the turn ends and writes its points (T5.5d)."""
    if isinstance(turn, Position):
        return False
    sits_out = turn.reason is Reason.SAT_OUT and not turn.rules.sits_out_loses_carried
    return sits_out or turn.reason in (Reason.BANKED, Reason.FIREWORK)


def scores_after_deduction(position: Position, scores: list[int]) -> list[int]:
    """Returns the scores after 1000 points from each leader but the player (T5.5)."""
    counted, rules, player = [*scores], position.rules, position.player or 0
    if rules.leaders is Leaders.TURN:
        counted[player] += position.carried
    lower = [*scores]
    for i, score in enumerate(scores):
        if i != player and counted[i] == max(counted):
            floored = rules.score_floor is ScoreFloor.ZERO
            lower[i] -= min(score, 1000) if floored else 1000
    return lower


@pytest.mark.long
@long_run
@given(seed=st.integers(0, 2**32 - 1))
def test_each_step_keeps_scores_deductions_and_last_round(seed: int) -> None:
    rng = Random(seed)
    rules, tuttos = random_rules(rng), 0
    state = GameState.new(rules, rng.randint(2, 4))
    scores = list(state.scores)
    while isinstance(state.turn, Position):
        position, player = state.turn, state.player
        event = random_event(rng, position)
        step = event.play(position)
        turn, state = step.turn, state.after(step)
        tuttos += makes_plus_minus_tutto(position, event)
        if rules.deduction is Deduction.ON_TUTTO or writes(turn):
            for _ in range(tuttos):
                scores = scores_after_deduction(position, scores)
            tuttos = 0
        if isinstance(turn, Over):
            scores[player] += turn.points
            tuttos = 0
            decided = rules.ending is Ending.AT_ONCE or state.winners
            assert turn.wins_game == (player in state.winners if decided else None)
        else:
            assert turn.pending_deductions == tuttos
        assert (turn.rules, turn.player, turn.scores) == (rules, player, tuple(scores))
        assert state.turn.last == any(score >= rules.target for row in state.sheet for score in row)
        if isinstance(state.turn, Position):
            document = GAME.turn_document(state.turn)
            posted_back = GAME.position_of(document)
            assert posted_back.last == state.turn.last
            assert GAME.turn_document(posted_back) == document


# Values -------------------------------------------------------------------------------------------


OF_THE_SHEET = ("leaders", "leader_draws_plus_minus", "score_floor", "sits_out_loses_carried")
"""Options that share the value tables of the published rules, beside ``deduction``."""


def duels(rules: Ruleset, rng: Random) -> Iterator[GameState]:
    """Yields tables of two near the end of their game, often in the last round (T6.5)."""
    for seat, last in (*product((0, 1), (False, False)), (1, True), (1, True)):
        own = rng.randrange(rules.target - 1500, rules.target, 50)
        opponent = rng.randrange(own - 800, min(own + 1200, rules.target), 50)
        scores = (opponent, own) if seat else (own, opponent)
        last = last and rules.ending is Ending.FULL_ROUND
        yield GameState(Position(rules, scores=scores, player=seat, last=last))
    if rules.ending is Ending.FULL_ROUND:
        # The scores show the last round until the first deduction.
        scores = (rules.target + 300, rules.target - 500)
        yield GameState(Position(rules, scores=scores, player=1, last=True))


def chance(state: GameState, player: int) -> float:
    """Returns the chance of the player to win, by the winners, the solved table or the turn."""
    if state.winners:
        return (player in state.winners) / len(state.winners)
    if state.player != player:
        own, opponent = state.scores[1 - player], state.scores[player]
        return 1 - Duel(state.turn.rules, own, opponent, 1 - player, state.turn.last).chance()
    assert isinstance(state.turn, Position)
    return Question(state.turn, win=True).value()


def falls(position: Position) -> list[Event]:
    """Returns every possible card or roll, repeated by its frequency."""
    if position.phase is Phase.DRAW:
        return [Draw(card) for card in CARDS.values() for _ in range(card.copies)]
    return [Roll(as_dice(dice)) for dice in product(FACES, repeat=position.dice_to_roll)]


def points(state: GameState, turn: Turn) -> float:
    """Returns the points that the turn has written, or may expect to write."""
    if isinstance(turn, Position):
        return Question(turn).value()
    return state.turn.rules.target if turn.reason is Reason.CLOVER else turn.points


def expect_worth_of_events(rng: Random, state: GameState, win: bool) -> None:
    """Expects every position of a random turn to have the value of its events.

    Expected points consider the sheet for a single draw ahead (O8), so the law excludes draws
    there.
    """
    player = state.player
    while isinstance(state.turn, Position) and state.player == player:
        question, position = Question(state.turn, win=win), state.turn

        def value_after(
            event: Event, state: GameState = state, position: Position = position
        ) -> float:
            step = event.play(position)
            following = state.after(step)
            return chance(following, player) if win else points(following, step.turn)

        if position.phase is Phase.KEEP:
            values = [value_after(event) for event in choices(position)]
            worths = [question.worth(event) for event in choices(position)]
            assert worths == pytest.approx(values, abs=1e-8)
            assert question.value() == pytest.approx(max(values), abs=1e-8)
        elif win if position.phase is Phase.DRAW else position.dice_to_roll < 3:
            mean = fmean(map(value_after, falls(position)))
            assert question.value() == pytest.approx(mean, abs=1e-8)
        event = random_event(rng, position)
        step = event.play(position)
        following = question.worth_after(event, step.turn)
        assert following == pytest.approx(value_after(event), abs=1e-8)
        state = state.after(step)


@pytest.mark.long
@pytest.mark.parametrize(
    "rules", [it for it in RULESETS.values() if has_win_chances(it)], ids=lambda it: it.id
)
def test_chance_to_win_equals_the_chance_after_an_event(rules: Ruleset) -> None:
    rng = Random(rules.id)
    for start in duels(rules, rng):
        for _ in range(15):
            expect_worth_of_events(rng, start, win=True)


def test_expected_points_equal_the_points_after_an_event() -> None:
    rng = Random(41)
    for _ in range(150):
        options = {
            option.name: rng.choice(option.values)
            for option in DEFAULT.known_options
            if option.name in ("deduction", *OF_THE_SHEET)
        }
        scores = tuple(rng.choices(range(0, 2000, 500), k=3))
        position = Position(DEFAULT.house(options), scores=scores, player=0)
        expect_worth_of_events(rng, GameState(position), win=False)


def test_review_keeps_the_last_round_after_the_target_is_lost() -> None:
    """Tests a game in which Ada's 6000 fall to 5000 and Ben wins for certain with 5150 (T6.5)."""
    ones, faces = (1,) * 6, (1, 2, 3, 4, 5, 6)
    log = [
        *(draw("firework"), *[roll(*ones), keep(*ones)] * 3, roll(2, 2, 3, 3, 4, 6)),
        *[draw("straight"), roll(*faces), keep(*faces)] * 2,
        *(draw("plus-minus"), roll(*ones), keep(*ones)),
        *(draw("bonus-200"), roll(*faces), {"type": "bank"}),
    ]
    document = {"ruleset": "braillespiel", "players": ["Ada", "Ben"], "log": log, "aim": "win"}
    answer = answered("tutto", "reviews", document)
    *_, tutto, bank = answer["decisions"]
    assert (bank["worth"], bank["best"]) == (1, 1)
    # Banking the Tutto would share the win.
    assert 0.5 < tutto["worth"] == tutto["best"] < 1
    for sums, won in zip(answer["players"], (0, 1), strict=True):
        before = Duel(RULESETS["braillespiel"], 0, 0).chance()
        total = won - (1 - before if won else before)
        assert sums["luck"] + sums["play"] == pytest.approx(total, abs=1e-4)


def draw(card: str) -> dict[str, Any]:
    return {"type": "draw", "card": card}


def roll(*dice: int) -> dict[str, Any]:
    return {"type": "roll", "dice": [*dice]}


def keep(*dice: int) -> dict[str, Any]:
    return {"type": "keep", "dice": [*dice]}
