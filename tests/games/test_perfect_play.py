"""Figures of the guide to perfect play equal the computed values, and results are repeatable."""

import json
from itertools import product
from xml.etree import ElementTree

import pytest

from dice_referee.games.tutto.rulesets import ABACUS_2013
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.duels import Duel
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.games.yatzee.values.sheet import HEAD_BYTES, PATH
from tests.e2e.guides.snippets import GUIDES
from tests.games.tutto import perfect_play as winning
from tests.games.tutto.plain_duel import DuelTurn, written_by
from tests.games.yatzee import judged, perfect_play
from tests.games.yatzee.perfect_play import JUDGED, TOTALS
from tests.tools.odds_guide import PERFECT_PLAY, PICTURE, computed_perfect_play
from tests.tools.tables import options
from tests.tools.tables.sheet_game import solve


@pytest.mark.long
def test_guide_shows_the_computed_figures() -> None:
    text = PERFECT_PLAY.read_text("utf-8")
    assert computed_perfect_play(text) == text
    assert PICTURE.read_text("utf-8") == winning.chance_map()


def test_guide_sentences_have_the_numbers_of_the_programs() -> None:
    text = " ".join((GUIDES / "how-odds-are-computed.md").read_text("utf-8").split())
    assert f"plays {judged.GAMES} games of each bot" in text
    assert f"empty sheet is worth {perfect_play.optimum()} points" in text
    head = json.loads(PATH.read_bytes()[:HEAD_BYTES])
    assert f"all {head['states']:,} sets" in text
    assert f"two matrices of {head['rank']} columns" in text


# Yatzee -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", judged.BOTS)
def test_replayed_games_have_the_stored_losses(name: str) -> None:
    losses = JUDGED[name]["games"]
    repeat = [sum(judged.losses(seed, judged.BOTS[name])) for seed in range(2)]
    assert repeat == pytest.approx(losses[:2], abs=1e-3)
    assert len(losses) == judged.KEPT


@pytest.mark.long
@pytest.mark.parametrize("name", judged.BOTS)
def test_mean_losses_of_bots_equal_the_stored_losses(name: str) -> None:
    judgement = judged.judged(name)
    assert judgement["lost"] == pytest.approx(JUDGED[name]["lost"], abs=2e-3)
    assert sum(judgement["by_roll"]) == pytest.approx(judgement["lost"], abs=5e-3)


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


def test_worst_first_roll_of_best_has_the_published_loss() -> None:
    worst, *_ = perfect_play.first_rolls()
    assert worst.dice == (3, 3, 3, 3, 6, 6)
    assert worst.lost == pytest.approx(10.33, abs=0.05)
    assert perfect_play.stops_after_first_roll() == pytest.approx(0.41, abs=1e-3)
    assert perfect_play.lost_with_first_roll() == pytest.approx(1.109, abs=2e-2)
    assert sum(roll.chance for roll in perfect_play.first_rolls()) == pytest.approx(1)


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
