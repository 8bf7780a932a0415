"""Figures of the guide to perfect play equal the computed values, and results are repeatable."""

import json
from itertools import product
from random import Random
from xml.etree import ElementTree

import pytest

from dice_referee.games.tutto.rulesets import ABACUS_2013
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.duels import Duel
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.games.yatzee.categories import Category
from dice_referee.games.yatzee.events import Strike, Throw, Write
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.card import HEAD_BYTES, PATH
from tests.games.tutto import perfect_play as winning
from tests.games.tutto.plain_duel import DuelTurn, written_by
from tests.games.yatzee import judged, perfect_play
from tests.games.yatzee.perfect_play import JUDGED, TOTALS
from tests.games.yatzee.test_odds import random_position
from tests.tools.odds_guide import PERFECT_PLAY, PICTURE, computed_perfect_play
from tests.tools.tables import options
from tests.tools.tables.card_game import solve


def test_guide_shows_the_computed_figures() -> None:
    text = PERFECT_PLAY.read_text("utf-8")
    assert computed_perfect_play(text) == text
    assert PICTURE.read_text("utf-8") == winning.chance_map()


def test_guide_sentences_have_the_numbers_of_the_programs() -> None:
    text, bots, habits = PERFECT_PLAY.read_text("utf-8"), judged.BOT_GAMES, judged.HABIT_GAMES
    assert f"The mean of {habits} games" in text
    assert f"plays {bots} games of each bot and {habits} of each habit" in text
    assert f"an empty card is worth {perfect_play.optimum()} points" in text
    head = json.loads(PATH.read_bytes()[:HEAD_BYTES])
    assert f"all {head['states']:,} sets" in text
    assert f"two matrices of {head['rank']} columns" in text


# Yatzee -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", judged.PLAYERS)
def test_replayed_games_have_the_stored_losses(name: str) -> None:
    losses = JUDGED[name]["games"]
    repeat = [sum(judged.losses(seed, judged.PLAYERS[name])) for seed in range(2)]
    assert repeat == pytest.approx(losses[:2], abs=1e-3)
    assert len(losses) == judged.KEPT


@pytest.mark.long
@pytest.mark.parametrize("name", judged.PLAYERS)
def test_mean_losses_of_players_equal_the_stored_losses(name: str) -> None:
    judgement = judged.judged(name)
    assert judgement["lost"] == pytest.approx(JUDGED[name]["lost"], abs=2e-3)
    assert sum(judgement["by_throw"]) == pytest.approx(judgement["lost"], abs=5e-3)


def test_player_without_a_habit_loses_nothing() -> None:
    lost = judged.losses(1, judged.Habit())
    assert lost == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize("name", judged.HABITS)
def test_habits_choose_legal_events_of_at_most_the_best_value(name: str) -> None:
    rng, player, lost = Random(name), judged.HABITS[name][1], list[float]()
    while len(lost) < 60:
        position = random_position(rng)._replace(rules=YATZEE_SIX)
        if position.dice is not None:
            event = player(position)
            assert event in {choice.event for choice in whole_game.choices(position)}
            lost.append(judged.loss(position, event))
    assert min(lost) >= -1e-9


def filled_category(name: str, position: Position) -> Category:
    event = judged.HABITS[name][1](position)
    assert not isinstance(event, Throw)
    return event.category


def test_habits_allow_the_choices_in_their_names() -> None:
    position = Position(YATZEE_SIX, dice=(1, 2, 2, 5, 5, 5), throw=3)
    assert filled_category("card-order", position) is Category.ONES
    assert filled_category("upper-first", position).is_upper
    assert not filled_category("lower-first", position).is_upper
    assert filled_category("most-points", position) is Category.CHANCE
    assert filled_category("at-once", position._replace(throw=1)) is Category.HOUSE
    assert all(judged.one_face(position, Throw(dice)) for dice in ((1,), (2, 2), (5, 5, 5)))
    assert not judged.one_face(position, Throw((5, 5)))
    assert not judged.whole_groups(position, Throw((5, 5, 5)))
    assert judged.whole_groups(position, Throw((2, 2, 5, 5, 5)))
    assert judged.largest_group(position, Throw((5, 5, 5)))
    nothing: judged.Fills = [
        Strike(Category.ROYAL),
        Strike(Category.YATZEE),
        Write(Category.CHANCE),
    ]
    assert judged.strikes_yatzee(position, nothing) == nothing[1:]
    assert judged.no_strikes(position, nothing) == nothing[2:]
    assert judged.last(Category.CHANCE)(position, nothing) == nothing[:2]
    ones_and_fives: judged.Fills = [Write(Category.ONES), Write(Category.FIVES)]
    assert judged.enough_in_upper(position, ones_and_fives) == ones_and_fives[1:]


def test_optimum_falls_without_bonus_and_rises_with_equal_faces() -> None:
    assert list(TOTALS) == list(options.GAMES)
    assert TOTALS["no bonus of the upper section"] < perfect_play.optimum()
    assert TOTALS["no roll bonuses"] < perfect_play.optimum()
    assert TOTALS["groups may have the same face"] > perfect_play.optimum()


@pytest.mark.long
@pytest.mark.simulated
@pytest.mark.parametrize("name", options.GAMES)
def test_options_have_the_stored_optimum(name: str) -> None:
    assert solve(options.GAMES[name]).empty_card == pytest.approx(TOTALS[name], abs=2e-3)


def test_worst_first_throw_of_best_has_the_published_loss() -> None:
    worst, *_ = perfect_play.first_throws()
    assert worst.dice == (3, 3, 3, 3, 6, 6)
    assert worst.lost == pytest.approx(10.33, abs=0.05)
    assert perfect_play.stops_after_first_throw() == pytest.approx(0.41, abs=1e-3)
    assert perfect_play.lost_with_first_throw() == pytest.approx(1.109, abs=2e-2)
    assert sum(throw.chance for throw in perfect_play.first_throws()) == pytest.approx(1)


# Tutto --------------------------------------------------------------------------------------------


def plain_turn(own: int, rival: int) -> DuelTurn:
    def theirs(mine: int, his: int) -> float:
        return winning.win(mine, his)

    written, _ = written_by(ABACUS_2013, 0, theirs, lambda _: 0.0)
    return DuelTurn(ABACUS_2013, own, rival, written, ABACUS_2013.target - own)


def test_thresholds_equal_those_of_plain_recursion() -> None:
    own, rival = 5000, 5000
    turn = plain_turn(own, rival)
    for dice, stops_from in enumerate(winning.thresholds(own, rival).rolling, 1):
        if stops_from < ABACUS_2013.target - own:
            assert turn.rolling("300", dice, stops_from, rival) < turn.bank(stops_from, rival)
        before = stops_from - 50
        assert turn.rolling("300", dice, before, rival) > turn.bank(before, rival)


def test_cost_of_leading_equals_the_difference_of_turn_values() -> None:
    """Expects the turns of this pair to have equal values by the service and by recursion."""
    burden = winning.burden()
    turns = [
        ValueTables(aim_of(ABACUS_2013, None, Duel(ABACUS_2013, own, burden.opponent))).drawn[0]
        for own in (burden.own, burden.own + 50)
    ]
    assert turns[0] - turns[1] == pytest.approx(burden.most, abs=1e-4)
    plain = [plain_turn(own, burden.opponent).value() for own in (burden.own, burden.own + 50)]
    assert plain == pytest.approx(turns, abs=1e-9)


def test_chance_map_has_the_colour_of_every_pair_of_scores() -> None:
    cells, size = dict[tuple[int, int], str](), winning.CELL
    for path in ElementTree.fromstring(winning.chance_map()).iter(
        "{http://www.w3.org/2000/svg}path"
    ):
        for part in path.get("d", "").removesuffix("z").split("z"):
            start, _, rest = part.removeprefix("M").partition("h")
            x, y = map(int, start.split())
            width = int(rest.partition("v")[0])
            for left in range(x, x + width, size):
                cells[left, y] = path.get("fill", "")
    scores = range(winning.CELLS)
    for own, rival in product(scores, scores):
        place = (winning.LEFT + size * own, winning.TOP + size * (winning.CELLS - 1 - rival))
        band = int(winning.win(100 * own, 100 * rival) * winning.BANDS)
        assert cells[place] == winning.colour(min(band, winning.BANDS - 1))
