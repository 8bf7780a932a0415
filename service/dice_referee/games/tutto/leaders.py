"""Plus/Minus and the leaders: sitting out, and the points that leaders lose (T5.5).

``carried`` are the points that the player's turn held before the dice on the table. They count for
the lead where the rules say so (T5.5g).
"""

from typing import NamedTuple

from dice_referee.games.tutto.rulesets import LeaderDraws, Leaders, Ruleset, ScoreFloor

DEDUCTION = 1000
"""Points that each leader loses to a Plus/Minus Tutto (T5.5)."""


class Deducted(NamedTuple):
    """Points that a player loses.

    Without scores ``player`` is None, and the deduction applies to each leader. ``points`` is then
    the most that each of them can lose (T5.5e).
    """

    player: int | None
    points: int
    type: str = "deducted"


class Deductions(NamedTuple):
    taken: tuple[Deducted, ...]
    scores: tuple[int, ...] | None
    """Scores after the deductions, or None if they are unknown."""
    rules: frozenset[str]
    """Numbers of the rules that decided the deductions, empty if none was due."""


NOTHING_DUE = Deductions((), None, frozenset())


def lead(scores: tuple[int, ...] | None, player: int | None) -> int | None:
    """Returns the points by which the player leads the best opponent, or None without scores.

    The number is negative if the player is behind.
    """
    if scores is None or player is None:
        return None
    return scores[player] - max(scores[:player] + scores[player + 1 :])


def leads(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, carried: int) -> bool:
    """Says whether the player has the highest score, alone or shared (T5.5a)."""
    ahead = lead(scores, player)
    return ahead is not None and ahead + _count_carried(rules, carried) >= 0


def sits_out_from(rules: Ruleset, scores: tuple[int, ...] | None, player: int | None) -> int | None:
    """Returns the carried points from which a player who draws Plus/Minus sits out (T5.5b).

    Returns 0 for a sole leader on the sheet, and None for a player who never sits out.
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
    """Says whether a player who draws Plus/Minus sits out (T5.5b)."""
    points = sits_out_from(rules, scores, player)
    return points is not None and carried >= points


def decided_by_turn(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, carried: int
) -> bool:
    """Says whether carried points change who leads or sits out at a draw (T5.5g)."""
    return rules.leaders is Leaders.TURN and any(
        predicate(rules, scores, player, carried) != predicate(rules, scores, player, 0)
        for predicate in (leads, sits_out)
    )


def deduct(
    rules: Ruleset, scores: tuple[int, ...] | None, player: int | None, times: int, carried: int
) -> Deductions:
    """Returns the deductions of ``times`` Plus/Minus Tuttos: 1000 points from each leader.

    The leaders are determined anew each time (T5.5d). The roller never loses points (T5.5b). With
    ``score_floor: zero`` no deduction exceeds the leader's score (T5.5e).
    """
    if not times:
        return Deductions((), scores, frozenset())
    cites, floored = frozenset({"T5.5", "T5.5a", "T5.5d"}), rules.score_floor is ScoreFloor.ZERO
    if scores is None:
        # The scores are unknown, and the floor may reduce the deduction.
        cites |= {"T5.5e"} if floored else set()
        return Deductions((Deducted(None, DEDUCTION),) * times, None, cites)
    sheet, taken = list(scores), []
    counted = _count_carried(rules, carried)
    for _ in range(times):
        highest, leaders = _leaders(sheet)
        if counted and player is not None:
            leaders_on_sheet = leaders
            highest, leaders = _leaders(
                [*sheet[:player], sheet[player] + counted, *sheet[player + 1 :]]
            )
            if leaders != leaders_on_sheet:
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


def _count_carried(rules: Ruleset, carried: int) -> int:
    """Returns the carried points that count for the lead (T5.5g)."""
    return carried if rules.leaders is Leaders.TURN else 0


def _leaders(sheet: list[int]) -> tuple[int, list[int]]:
    highest = max(sheet)
    return highest, [i for i, score in enumerate(sheet) if score == highest]
