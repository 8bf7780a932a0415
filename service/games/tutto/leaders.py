"""Who leads, who sits out for it, and what Plus/Minus takes from whom (T5.5).

``carried`` are points that the player has before the dice on the table: they count for the lead
where the rules say so (T5.5g).
"""

from typing import NamedTuple

from service.games.tutto.rulesets import LeaderDraws, Leaders, Ruleset, ScoreFloor

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


def lead(scores: tuple[int, ...] | None, player: int | None) -> int | None:
    """Returns the points by which the player is ahead on the sheet; None where it is not known."""
    if scores is None or player is None:
        return None
    return scores[player] - max(scores[:player] + scores[player + 1 :])


def leads(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, carried: int) -> bool:
    """Says whether the player has the highest score, alone or not (T5.5a)."""
    ahead = lead(scores, player)
    return ahead is not None and ahead + _counted(rules, carried) >= 0


def sits_out_from(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None) -> int | None:
    """Returns the carried points from which on the player sits out on drawing Plus/Minus (T5.5b).

    A sole leader does: at 0 points or more. None: the player never does.
    """
    ahead = lead(scores, player)
    if ahead is None or rules.leader_draws_plus_minus is LeaderDraws.PLAYS:
        return None
    if ahead > 0:
        return 0
    return 1 - ahead if rules.leaders is Leaders.TURN else None


def sits_out(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, carried: int
) -> bool:
    """Says whether the player sits out on drawing Plus/Minus (T5.5b)."""
    points = sits_out_from(rules, scores, player)
    return points is not None and carried >= points


def decided_by_turn(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, carried: int
) -> bool:
    """Says whether carried points change who leads or sits out at a draw (T5.5g)."""
    return rules.leaders is Leaders.TURN and any(
        judged(rules, scores, player, carried) != judged(rules, scores, player, 0)
        for judged in (leads, sits_out)
    )


def deduct(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, times: int, carried: int
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
    more = _counted(rules, carried)
    for _ in range(times):
        highest, leaders = _leaders(sheet)
        if more and player is not None:
            before = leaders
            highest, leaders = _leaders(
                [*sheet[:player], sheet[player] + more, *sheet[player + 1 :]]
            )
            if leaders != before:
                cites |= {"T5.5g"}
        if player in leaders:
            leaders.remove(player)
            cites |= {"T5.5b"}
        points = DEDUCTION
        if leaders and floored and highest < points:
            points = highest
            cites |= {"T5.5e"}
        for leader in leaders:
            if points:
                sheet[leader] -= points
                taken.append(Deducted(leader, points))
    return Deductions(tuple(taken), tuple(sheet), cites)


def _counted(rules: Ruleset, carried: int) -> int:
    """Returns the points of the running turn that count for the lead (T5.5g)."""
    return carried if rules.leaders is Leaders.TURN else 0


def _leaders(sheet: list[int]) -> tuple[int, list[int]]:
    """Returns the highest score and the players who have it."""
    highest = max(sheet)
    return highest, [i for i, score in enumerate(sheet) if score == highest]
