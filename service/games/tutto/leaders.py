"""Who leads on the sheet, who sits out for it, and what Plus/Minus takes from whom (T5.5)."""

from typing import NamedTuple

from service.games.tutto.rulesets import LeaderDraws, Ruleset, ScoreFloor

DEDUCTION = 1000
"""Points that each leader loses to a Plus/Minus Tutto (T5.5)."""


class Deducted(NamedTuple):
    """Points really taken from a player; player None is "each leader" where none is known.

    Then ``points`` is the most that each can lose: what is there is not known (T5.5e).
    """

    player: int | None
    points: int
    type: str = "deducted"


class Deductions(NamedTuple):
    """What Plus/Minus Tuttos take from the leaders."""

    taken: tuple[Deducted, ...]
    scores: tuple[int, ...] | None
    """The sheet afterwards."""
    rules: frozenset[str]
    """The rules that decided it; none where nothing was due."""


NOTHING_DUE = Deductions((), None, frozenset())


def leads(scores: tuple[int, ...] | None, player: int | None) -> bool:
    """Whether the player has the highest score on the sheet, alone or not (T5.5a)."""
    return scores is not None and player is not None and scores[player] == max(scores)


def sits_out(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None) -> bool:
    """Whether the player has to sit out on drawing Plus/Minus: a sole leader may (T5.5b)."""
    if rules.leader_draws_plus_minus is LeaderDraws.PLAYS or scores is None or player is None:
        return False
    return all(score < scores[player] for i, score in enumerate(scores) if i != player)


def deduct(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, times: int
) -> Deductions:
    """Takes 1000 from each leader so many times.

    The leaders are found anew each time (T5.5d); the roller never loses points (T5.5b); with
    ``score_floor: zero`` a deduction takes at most what is there (T5.5e).
    """
    if not times:
        return Deductions((), scores, frozenset())
    cites, floored = frozenset({"T5.5", "T5.5a", "T5.5d"}), rules.score_floor is ScoreFloor.ZERO
    if scores is None:
        # What is there is not known.
        cites |= {"T5.5e"} if floored else set()
        return Deductions((Deducted(None, DEDUCTION),) * times, None, cites)
    sheet, taken = list(scores), []
    for _ in range(times):
        lead = max(sheet)
        leaders = [i for i, score in enumerate(sheet) if score == lead]
        if player in leaders:
            leaders.remove(player)
            cites |= {"T5.5b"}
        points = DEDUCTION
        if leaders and floored and lead < points:
            points = lead
            cites |= {"T5.5e"}
        for leader in leaders:
            if points:
                sheet[leader] -= points
                taken.append(Deducted(leader, points))
    return Deductions(tuple(taken), tuple(sheet), cites)
