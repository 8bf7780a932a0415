"""The win probability in a game of two, against plain recursion and the tables' own equations."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import CARDS, DECK, PILE, STOP
from dice_referee.games.tutto.events import Bank, SetAside
from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.position import Position
from dice_referee.games.tutto.rulesets import (
    ABACUS_2013,
    BRAILLESPIEL,
    RULESETS,
    VOLLE_LOTTE,
    Ruleset,
)
from dice_referee.games.tutto.scoring import scoring_of
from dice_referee.games.tutto.values import duels
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.bots import advise, question_of
from dice_referee.games.tutto.values.duels import (
    FULL,
    Duel,
    WinChances,
    has_win_chances,
    win_chances,
)
from dice_referee.games.tutto.values.odds import Question
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.errors import NoOdds
from tests.application import answered
from tests.games.tutto.plain_duel import DuelTurn, last_turn, written_by

LOWEST = -500
DECISIVE_PILES = (8,)
"""Seeds of games in which the known pile changes a choice of the bot."""
SOLVED = {name: rules for name, rules in RULESETS.items() if has_win_chances(rules)}
PUBLISHED = pytest.mark.parametrize("rules", SOLVED.values(), ids=SOLVED)


@pytest.mark.parametrize("rules", [ABACUS_2013, BRAILLESPIEL, VOLLE_LOTTE], ids=lambda it: it.id)
def test_published_rulesets_have_win_chances(rules: Ruleset) -> None:
    assert rules.id in SOLVED


def tables_of(duel: Duel) -> ValueTables:
    return ValueTables(aim_of(duel.rules, None, duel))


# Turns by random chances --------------------------------------------------------------------------


def to_300(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch, seed: int
) -> tuple[Ruleset, WinChances]:
    """Returns a game to 300 points with random chances between the turns."""
    rng, pairs = Random(seed), ((300 - LOWEST) // 50) ** 2
    tables = tuple(array("H", [rng.randrange(FULL) for _ in range(pairs)]) for _ in range(2))
    # Chances fall with the deficit, so banking is best with a great lead.
    last = sorted((rng.randrange(FULL // 4) for _ in range(20)), reverse=True)
    # The player furthest behind can still win.
    chances = WinChances(LOWEST, 0, tables, array("H", [FULL, *last, FULL // 500]))
    monkeypatch.setattr(duels, "win_chances", lambda _: chances)
    return replace(rules, target=300), chances


@pytest.mark.long
@PUBLISHED
@pytest.mark.parametrize("seat", [0, 1])
def test_turn_value_equals_plain_recursion(
    rules: Ruleset, seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests scores from -500 to 250, with random chances between the turns."""
    small, chances = to_300(rules, monkeypatch, 17 + seat)
    rng, size = Random(seat), (300 - LOWEST) // 50

    def theirs(own: int, opponent: int) -> float:
        row, column = (max(score - LOWEST, 0) // 50 for score in (own, opponent))
        return chances.seats[1 - seat][row * size + column] / FULL

    def last(behind: int) -> float:
        return chances.last[min(behind // 50, len(chances.last) - 1)] / FULL

    for _ in range(12):
        own, opponent = rng.randrange(LOWEST, 300, 50), rng.randrange(LOWEST, 300, 50)
        written, more = written_by(small, seat, theirs, last)
        steady = max(300, opponent + 1050) - own if more else 300 - own
        plain = DuelTurn(small, own, opponent, written, steady)
        chance = tables_of(Duel(small, own, opponent, seat)).drawn[0]
        assert chance == pytest.approx(plain.value(), abs=1e-9), (own, opponent)


@pytest.mark.parametrize("behind", [50, 250, 1000, 1950, 2100])
def test_last_turn_value_equals_plain_recursion(behind: int) -> None:
    duel = Duel(BRAILLESPIEL, 5000, 5000 + behind, 1, last=True)
    expected = last_turn(BRAILLESPIEL, behind)
    assert tables_of(duel).drawn[0] == pytest.approx(expected, abs=1e-9)


# The tables ---------------------------------------------------------------------------------------


def pairs(rules: Ruleset, number: int, seed: int) -> Iterator[Duel]:
    rng, lowest = Random(seed), win_chances(rules.id).lowest // 2
    for _ in range(number):
        own, opponent = (rng.randrange(lowest, rules.target, 50) for _ in range(2))
        yield Duel(rules, own, opponent, rng.randrange(2))


@pytest.mark.long
@PUBLISHED
def test_tables_satisfy_their_own_equations(rules: Ruleset) -> None:
    """Expects each chance to follow from the chances after its best turn, to detect wrong bytes."""
    for duel in pairs(rules, 4, 1):
        chance = tables_of(duel).drawn[0]
        assert chance == pytest.approx(duel.chance(), abs=2e-5), duel


@pytest.mark.long
@PUBLISHED
def test_tables_satisfy_their_own_equations_at_many_pairs(rules: Ruleset) -> None:
    for duel in pairs(rules, 60, 2):
        chance = tables_of(duel).drawn[0]
        assert chance == pytest.approx(duel.chance(), abs=2e-5), duel


@pytest.mark.parametrize(
    ("rules", "chance"),
    [(ABACUS_2013, 0.5184702), (VOLLE_LOTTE, 0.5221411), (BRAILLESPIEL, 0.4810176)],
)
def test_first_player_has_the_published_chance(rules: Ruleset, chance: float) -> None:
    position = Position(rules, scores=(0, 0), player=0)
    assert Question(position, win=True).value() == pytest.approx(chance, abs=1e-5)


def at_5000(carried: int = 0) -> Question:
    """Returns a question at 5000 : 5000: roll 1 2 3 4 5 on bonus 300, with a 1 set aside."""
    position = Position(
        ABACUS_2013,
        CARDS["bonus-300"],
        scoring_of(ABACUS_2013).aside(((1,),)),
        (1, 2, 3, 4, 5),
        carried=700,
        scores=(5000, 5000),
        player=0,
    )
    return Question(position, win=True)


def test_rolling_beats_banking_at_5000_to_5000() -> None:
    by_event = {choice.event: choice.value for choice in at_5000().odds().choices}
    assert by_event[Bank()] == pytest.approx(0.686, abs=5e-4)
    assert by_event[SetAside((1, 5))] == pytest.approx(0.843, abs=5e-4)
    assert advise(at_5000()._replace(win=False), Level.BEST) == Bank()
    assert advise(at_5000()._replace(win=False), Level.PERFECT) == SetAside((1,))


@PUBLISHED
def test_1000_more_points_raise_the_chance(rules: Ruleset) -> None:
    """Compares scores 1000 points apart, since a small lead can cost a sole leader."""
    for duel in pairs(rules, 300, 3):
        if duel.own + 1000 < rules.target:
            richer = duel._replace(own=duel.own + 1000)
            assert richer.chance() > duel.chance()
        if duel.opponent + 1000 < rules.target:
            assert duel._replace(opponent=duel.opponent + 1000).chance() < duel.chance()


def test_lead_of_50_points_has_almost_no_value() -> None:
    behind, ahead = (Duel(ABACUS_2013, own, 3950 - own) for own in (1950, 2000))
    assert abs(behind.chance() - ahead.chance()) < 0.002


def test_sitting_out_is_worse_for_the_leader() -> None:
    """Expects a turn to be worth more under a rule that lets the leader play."""
    duel = Duel(ABACUS_2013, 4000, 1000)
    playing = ABACUS_2013.house({"leader_draws_plus_minus": "plays"})
    assert tables_of(duel._replace(rules=playing)).drawn[0] > tables_of(duel).drawn[0]


def test_free_choice_on_a_firework_raises_the_chance() -> None:
    duel = Duel(ABACUS_2013, 3000, 3000)
    free = ABACUS_2013.house({"firework_keep": "any"})
    assert tables_of(duel._replace(rules=free)).drawn[0] > tables_of(duel).drawn[0]


@PUBLISHED
@pytest.mark.parametrize(
    ("own", "opponent"),
    [
        (2000, 4000),
        pytest.param(0, 0, marks=pytest.mark.long),
        pytest.param(-300, 2650, marks=pytest.mark.long),
    ],
)
def test_tables_after_a_deduction_equal_those_of_its_scores(
    rules: Ruleset, own: int, opponent: int
) -> None:
    """Expects the tables after a Plus/Minus Tutto to equal those of the opponent's lower score."""
    duel = Duel(rules, own, opponent)
    tables, expected = tables_of(duel).after_deduction, tables_of(duel.after_deduction)
    for steps in range(20, 60):
        assert tables.drawn[steps] == pytest.approx(expected.drawn[steps], abs=1e-12)


# Questions ----------------------------------------------------------------------------------------


TWO = {"aim": "win", "scores": [3000, 4000], "player": 0}


@pytest.mark.parametrize(
    ("document", "code", "rule", "pointer"),
    [
        ({"aim": "win"}, "scores-needed", "O16", "/scores"),
        ({**TWO, "scores": [0, 0, 0]}, "two-players-only", "O16", "/scores"),
        ({**TWO, "options": {"target": 5050}}, "no-table", "O16", "/options"),
        ({**TWO, "scores": [3000, -2050]}, "score-too-low", "O16", "/scores/1"),
        ({**TWO, "reach": 1000}, "reach-mismatch", "O6", "/reach"),
        ({"aim": "reach"}, "reach-mismatch", "O6", "/reach"),
        ({"aim": "points", "reach": 1000}, "reach-mismatch", "O6", "/reach"),
    ],
)
def test_aim_without_an_answer_has_a_finding(
    document: dict[str, Any], code: str, rule: str, pointer: str
) -> None:
    with pytest.raises(NoOdds) as problem:
        catalogue()["tutto"].question_of(document)
    findings = [(finding.code, finding.rule, finding.pointer) for finding in problem.value.findings]
    assert (code, rule, pointer) in findings


def test_options_at_published_values_keep_the_win_chances() -> None:
    answer = answered("tutto", "odds", {**TWO, "options": {"target": 6000}})
    assert answer["value"] == answered("tutto", "odds", TWO)["value"]


def test_odds_to_win_have_aim_and_accuracy() -> None:
    answer = answered("tutto", "odds", TWO)
    assert (answer["aim"], answer["reach"]) == ("win", None)
    assert 0 < answer["accuracy"] < 2e-5
    assert "O16" in answer["rules"]
    total = sum(card["chance"]["value"] * card["value"] for card in answer["cards"])
    assert total == pytest.approx(answer["value"])
    assert answered("tutto", "odds", {})["accuracy"] is None


def test_known_pile_affects_only_the_next_card() -> None:
    stops = tuple(card.copies * (card is STOP) for card in DECK)
    position = Position(ABACUS_2013, scores=(3000, 4000), player=0)
    expected = 1 - Duel(ABACUS_2013, 4000, 3000).chance()
    assert Question(position, pile=stops, win=True).value() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("scores", "rules"), [((0, 0, 0), ABACUS_2013), (None, ABACUS_2013)])
def test_perfect_level_plays_best_without_two_known_scores(scores: Any, rules: Ruleset) -> None:
    position = Position(rules, scores=scores, player=None if scores is None else 0)
    assert not question_of(Question(position), Level.PERFECT).win


def test_last_round_continues_after_the_target_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests a second player after the first reached the target and lost 1000 (T6.5)."""
    small, _ = to_300(BRAILLESPIEL, monkeypatch, 5)
    position = Position(small, scores=(-400, -500), player=1)
    going_on = Question(position, win=True).value()
    over = Question(position._replace(last=True), win=True).value()
    assert over != going_on
    assert over == pytest.approx(last_turn(BRAILLESPIEL, 100), abs=1e-9)
    state = GAME.load_state(
        {"ruleset": "braillespiel", "options": {}},
        {"phase": "draw", "carried": 1000, "scores": [5300, 4000], "player": 1, "triggered": True},
    )
    assert isinstance(state.turn, Position)
    assert state.turn.last


# Reviews ------------------------------------------------------------------------------------------


def game_of_two(
    seed: int, rules: Ruleset, levels: tuple[Level, Level], piles: bool = False
) -> dict[str, Any]:
    """Returns the log of a whole game and its winners.

    With ``piles`` the cards are drawn from piles, and players know which cards are left.
    """
    rng, hidden = Random(seed), list[int]()
    document: dict[str, Any] = {"ruleset": rules.id, "players": ["Ada", "Ben"], "log": []}
    state = GAME.new_state(document)
    while isinstance(state.turn, Position):
        question = GAME.question_at(state.turn, GAME.public_of(hidden or None))
        event = GAME.event_document(GAME.advise(question, levels[state.player]))
        if event["type"] == "draw" and piles:
            hidden = hidden or rng.sample(range(len(PILE)), len(PILE))
            event["card"] = PILE[hidden.pop()].id
        elif event["type"] == "draw":
            event["card"] = rng.choice([card.id for card in DECK for _ in range(card.copies)])
        elif event["type"] == "roll":
            event["dice"] = [rng.randint(1, 6) for _ in range(state.turn.dice_to_roll)]
        document["log"].append(event)
        state = GAME.advance(state, event).state
    return document | {"winners": state.winners}


@pytest.mark.parametrize(
    "name",
    [
        name if name == "volle-lotte" else pytest.param(name, marks=pytest.mark.long)
        for name in SOLVED
    ],
)
def test_luck_and_play_sum_to_the_change_of_the_chance(name: str) -> None:
    rules = SOLVED[name]
    document = game_of_two(4, rules, (Level.BEST, Level.CAREFUL))
    winners = document.pop("winners")
    answer = answered("tutto", "reviews", {**document, "aim": "win"})
    start = Duel(rules, 0, 0).chance()
    for sums, before in zip(answer["players"], (start, 1 - start), strict=True):
        won = (sums["player"] in winners) / len(winners)
        assert sums["unit"] == "win-chance"
        assert sums["luck"] + sums["play"] == pytest.approx(won - before, abs=1e-4)
    assert all(decision["loss"] >= -1e-9 for decision in answer["decisions"])
    assert "O16" in answer["rules"]


@pytest.mark.long
@pytest.mark.parametrize("seed", DECISIVE_PILES)
def test_review_of_perfect_play_uses_the_known_pile(seed: int) -> None:
    """Replays games in which a complete pile would turn the best choice into a loss (O4, O17)."""
    rules = SOLVED["volle-lotte"]
    document = game_of_two(seed, rules, (Level.PERFECT, Level.PERFECT), piles=True)
    winners = document.pop("winners")
    answer = answered("tutto", "reviews", {**document, "aim": "win"})
    start = Duel(rules, 0, 0).chance()
    for sums, before in zip(answer["players"], (start, 1 - start), strict=True):
        won = (sums["player"] in winners) / len(winners)
        assert sums["luck"] + sums["play"] == pytest.approx(won - before, abs=1e-4)
        assert sums["play"] == pytest.approx(0, abs=1e-9)


@pytest.mark.long
def test_perfect_loses_nothing_and_best_a_little() -> None:
    """Expects initial chances less the losses of choices as results: 2.8 points a game (O16)."""
    lost = list[float]()
    for seed in range(24):
        levels = (Level.PERFECT, Level.BEST) if seed % 2 else (Level.BEST, Level.PERFECT)
        document = game_of_two(100 + seed, ABACUS_2013, levels, piles=True)
        del document["winners"]
        answer = answered("tutto", "reviews", {**document, "aim": "win"})
        for sums in answer["players"]:
            if levels[sums["player"]] is Level.PERFECT:
                assert sums["play"] == pytest.approx(0, abs=1e-6)
            else:
                lost.append(-sums["play"])
    # Over 400 games the mean was 0.0278, and the standard deviation of a game 0.058.
    assert min(lost) > -1e-6
    assert 0.005 < mean(lost) < 0.0278 + 3 * 0.058 / len(lost) ** 0.5
