"""Who leads on the sheet, who sits out for it, and what Plus/Minus takes from whom (T5.5)."""

from typing import NamedTuple

from service.games.tutto.rulesets import LeaderDraws, Ruleset, ScoreFloor

DEDUCTION = 1000
"""Points that each leader loses to a Plus/Minus Tutto (T5.5)."""


class Deducted(NamedTuple):
    """Points really taken from a player; player None is "each leader" where none is known."""

    player: int | None
    points: int


def sits_out(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None) -> bool:
    """Whether the player has to sit out on drawing Plus/Minus: a sole leader may (T5.5b)."""
    if rules.leader_draws_plus_minus is LeaderDraws.PLAYS or scores is None or player is None:
        return False
    return all(score < scores[player] for i, score in enumerate(scores) if i != player)


def deduct(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, times: int
) -> tuple[tuple[Deducted, ...], tuple[int, ...] | None]:
    """Take 1000 from each leader so many times: what was taken, and the sheet afterwards.

    The leaders are found anew each time (T5.5d); the roller never loses points (T5.5b); with
    ``score_floor: zero`` a deduction takes at most what is there (T5.5e).
    """
    if not times:
        return (), scores
    if scores is None:
        return (Deducted(None, DEDUCTION),) * times, None
    sheet, taken = list(scores), []
    for _ in range(times):
        lead = max(sheet)
        for leader in [i for i, score in enumerate(sheet) if score == lead and i != player]:
            points = min(DEDUCTION, lead) if rules.score_floor is ScoreFloor.ZERO else DEDUCTION
            if points:
                sheet[leader] -= points
                taken.append(Deducted(leader, points))
    return tuple(taken), tuple(sheet)
