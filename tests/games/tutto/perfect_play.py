"""Tables and picture about Tutto for two in the guide to perfect play (O16).

The chances between turns are read from the shipped file. Thresholds are computed here, a turn for
each pair of scores.
"""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from dice_referee.games.tutto.position import SIX, STEP
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.values.aims import aim_of
from dice_referee.games.tutto.values.duels import Duel, win_chances
from dice_referee.games.tutto.values.rows import NOISE
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.rulebook.dice import FACES
from tests.games.guide_table import GuideTable, table
from tests.games.tutto.analysis import BONUS_300, banks_from, stops_from

GRID = range(0, DEFAULT.target, 1000)
PAIRS = (
    *((0, 0), (3000, 0), (0, 3000), (3000, 3000), (3000, 5000), (5000, 3000), (5000, 5000)),
    *((5500, 5500), (2000, 5500), (4000, 5800), (5800, 4000), (5000, 5950)),
)
"""Scores whose thresholds the guide lists, the player's own first."""
CLOSE = ((0, 50), (0, 0), (50, 0), (1950, 2000), (2000, 2000), (2000, 1950), (2100, 2000))
"""Scores that are nearly equal."""


def win(own: int, opponent: int) -> float:
    """Returns the win probability of the player about to draw."""
    return Duel(DEFAULT, own, opponent).chance()


def game_tables() -> Iterator[GuideTable]:
    """Yields the tables about Tutto of the guide to perfect play."""
    yield _chances()
    yield _thresholds()
    yield _close()


def _per_cent(chance: float) -> str:
    return f"{100 * chance:.1f}%"


def _chances() -> GuideTable:
    rows = ((str(own), *(_per_cent(win(own, opponent)) for opponent in GRID)) for own in GRID)
    return table(("Yours \\ opponent's", *map(str, GRID)), rows)


def _close() -> GuideTable:
    rows = ((f"{own} : {opponent}", f"{100 * win(own, opponent):.2f}%") for own, opponent in CLOSE)
    return table(("Nearly equal, yours : opponent's", "your chance on your turn"), rows)


# When to stop -------------------------------------------------------------------------------------


class Gains(NamedTuple):
    """Gains in win probability of continuing over banking, by steps held from ``least`` on."""

    least: int
    gains: list[float]

    @property
    def stops_from(self) -> int:
        """Least points from which banking is always better."""
        going_on = [held for held, gain in enumerate(self.gains) if gain >= -NOISE]
        return STEP * (self.least + (going_on[-1] + 1 if going_on else 0))

    def lost(self, stops_from: int) -> float:
        """Returns the greatest loss of a player who banks from these points on."""
        held = enumerate(self.gains, self.least)
        lost = (gain if steps * STEP >= stops_from else -gain for steps, gain in held)
        return max(lost, default=0.0)


class Thresholds(NamedTuple):
    """The points to bank from at a pair of scores."""

    rolling: tuple[int, ...]
    """Thresholds on bonus 300, with up to five dice left."""
    drawing: int
    """Threshold after a Tutto."""
    lost: float
    """Greatest loss of such a decision by a player who maximizes points."""


@cache
def thresholds(own: int, opponent: int) -> Thresholds:
    """Returns the thresholds of a turn that begins with these scores."""
    duel = Duel(DEFAULT, own, opponent)
    values = ValueTables(aim_of(DEFAULT, None, duel))
    steps = range(duel.steady_from // STEP)
    rolling = []
    for dice in FACES[:-1]:
        held = steps[SIX - dice :]
        gains = [
            values.cards[BONUS_300].value(dice, 0, step) - values.written[step] for step in held
        ]
        rolling.append(Gains(SIX - dice, gains))
    drawing = Gains(6, [values.drawn[step] - values.written[step] for step in steps[6:]])
    by_points = [stops_from(DEFAULT, BONUS_300, dice) for dice in FACES[:-1]]
    lost = [gains.lost(stop) for gains, stop in zip(rolling, by_points, strict=True)]
    lost.append(drawing.lost(banks_from(DEFAULT)))
    most = duel.steady_from
    bank = (min(gains.stops_from, most) for gains in rolling)
    return Thresholds(tuple(bank), min(drawing.stops_from, most), max(0.0, *lost))


def _thresholds() -> GuideTable:
    points = [str(stops_from(DEFAULT, BONUS_300, dice)) for dice in FACES[:-1]]
    rows = [("by points, at any", "", *points, str(banks_from(DEFAULT)), "")]
    for own, opponent in PAIRS:
        stops = thresholds(own, opponent)
        bank = (*map(str, stops.rolling), str(stops.drawing))
        rows.append(
            (f"{own} : {opponent}", _per_cent(win(own, opponent)), *bank, _per_cent(stops.lost))
        )
    header = (
        "Scores, yours : opponent's",
        "win",
        "1 die left",
        *(f"{n} dice" for n in FACES[1:-1]),
    )
    return table((*header, "after a Tutto", "largest loss of playing for points"), rows)


# Where leading is a burden ------------------------------------------------------------------------


class Burden(NamedTuple):
    """Pairs of scores at which 50 additional points lower the win probability."""

    pairs: int
    share: float
    """Fraction of all pairs of scores from 0 on."""
    most: float
    own: int
    opponent: int
    """Scores before the 50 points, at the pair with the greatest loss."""


@cache
def burden() -> Burden:
    """Returns the pairs at which a lead costs more than the error of the file."""
    error = 2 * win_chances(DEFAULT.id).error
    scores = range(0, DEFAULT.target - STEP, STEP)
    opponents = range(0, DEFAULT.target, STEP)
    costs = [
        (win(own, opponent) - win(own + STEP, opponent), own, opponent)
        for own in scores
        for opponent in opponents
    ]
    worse = [cost for cost in costs if cost[0] > error]
    return Burden(len(worse), len(worse) / len(costs), *max(worse))


def game_conclusions() -> Iterator[str]:
    """Yields the conclusions from the chances, a line each."""
    lead, even, behind = burden(), thresholds(0, 0), thresholds(3000, 5000)
    yield (
        f"Tutto for two: the first player wins {100 * win(0, 0):.2f}% of games. In the first "
        f"turn, bank after a Tutto from {even.drawing} points, not from {banks_from(DEFAULT)}. A "
        f"decision of this turn by points loses at most {_per_cent(even.lost)}."
    )
    yield (
        f"Tutto for two, far behind near the end: at 3000 : 5000, roll three dice or more until "
        f"you hold {behind.rolling[2]} points. A decision by points loses up to "
        f"{_per_cent(behind.lost)}."
    )
    yield (
        f"Tutto for two: at {lead.pairs} pairs of scores from 0 on ({_per_cent(lead.share)}), 50 "
        "more points lower the win probability of the player whose turn it is, at "
        f"{lead.own} : {lead.opponent} by {100 * lead.most:.1f} percentage points."
    )


# The picture --------------------------------------------------------------------------------------

CELL, CELLS, LEFT, TOP = 8, DEFAULT.target // 100, 60, 40
"""Pixels of a cell, cells of 100 points a side, and pixels beside the map and above it."""
BANDS = 20
"""Number of colours. Each covers an equal range of chances."""
BEHIND, EVEN, AHEAD = (178, 72, 24), (247, 247, 247), (24, 92, 160)


def colour(band: int) -> str:
    """Returns the colour of a band, from that of a loss to that of a win."""
    part = (2 * band + 1) / BANDS - 1
    end = AHEAD if part > 0 else BEHIND
    mixed = (round(e + (c - e) * abs(part)) for e, c in zip(EVEN, end, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def chance_map() -> str:
    """Returns the map of chances as SVG: own scores to the right, the other's upwards."""
    areas: dict[int, list[str]] = {}
    for row in range(CELLS):
        bands = [min(int(BANDS * win(100 * own, 100 * row)), BANDS - 1) for own in range(CELLS)]
        left = 0
        for band, run in groupby(bands):
            width = len([*run])
            x, y = LEFT + CELL * left, TOP + CELL * (CELLS - 1 - row)
            areas.setdefault(band, []).append(f"M{x} {y}h{CELL * width}v{CELL}H{x}z")
            left += width
    side = CELL * CELLS
    bottom, right = TOP + side, LEFT + side
    marks = []
    for score in range(0, DEFAULT.target + 1, 1000):
        place = CELL * score // 100
        marks.append(_text(LEFT + place, bottom + 18, str(score), "middle"))
        marks.append(_text(LEFT - 8, bottom - place + 4, str(score), "end"))
    for band in range(BANDS):
        y = bottom - (band + 1) * side // BANDS
        areas.setdefault(band, []).append(f"M{right + 20} {y}h16v{side // BANDS}h-16z")
    for chance in range(0, 101, 25):
        marks.append(_text(right + 42, bottom - side * chance // 100 + 4, f"{chance}%", "start"))
    marks.append(
        _text(LEFT + side // 2, bottom + 38, "score of the player whose turn it is", "middle")
    )
    marks.append(_text(LEFT - 40, TOP - 16, "opponent's score", "start"))
    paths = [f'<path fill="{colour(band)}" d="{"".join(areas[band])}"/>' for band in sorted(areas)]
    size = f"0 0 {right + 90} {bottom + 50}"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif" '
            'font-size="12" fill="#222" shape-rendering="crispEdges">',
            "<title>Tutto: win probability of the player whose turn it is, by both scores</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *paths,
            *marks,
            "</svg>\n",
        )
    )


def _text(x: int, y: int, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'
