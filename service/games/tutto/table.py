"""A table that is kept between two events, and what chance brings to it."""

from collections.abc import Mapping
from typing import Any

from service.games.tutto.cards import PILE, PLAYABLE, PLUS_MINUS, STRAIGHT
from service.games.tutto.events import Draw, Event
from service.games.tutto.game import Table, after_turn
from service.games.tutto.position import Phase, Position, impossibilities
from service.games.tutto.rulesets import Ending, Ruleset
from service.games.tutto.scoring import SINGLES, aside
from service.games.tutto.turn import Over, Reason, prospect
from service.rules.chance import Chance
from service.rules.dice import FACES, Dice, as_dice
from service.rules.kept import check

LEAST = min(SINGLES.values())
"""The least that dice can earn; all points and scores are multiples of it (T1.2)."""


def saved(table: Table) -> dict[str, Any]:
    """All that the rest of the game depends on; of a game that is over, how it ended."""
    turn = table.turn
    document = {"scores": turn.scores, "player": turn.player, "triggered": table.triggered}
    if isinstance(turn, Over):
        return {**document, "over": {"reason": turn.reason, "points": turn.points}}
    return {
        **document,
        "card": None if turn.card is None else turn.card.id,
        "keeps": turn.aside.keeps,
        "roll": turn.roll,
        "carried": turn.carried,
        "tuttos": turn.tuttos,
        "pending": turn.pending,
    }


def loaded(rules: Ruleset, players: int, document: Mapping[str, Any]) -> Table:
    """The table that was saved; ValueError if no game can stand like this."""
    scores, player = tuple(map(int, document["scores"])), int(document["player"])
    check(len(scores) == players and 0 <= player < players)
    check(not any(score % LEAST for score in scores))
    # Whether somebody has reached the target in an earlier turn: he begins the last round (T6.3).
    last_round = bool(document["triggered"]) and rules.ending is Ending.FULL_ROUND
    others = scores[:player] + scores[player + 1 :]
    check(player > 0 if last_round else max(others) < rules.target)
    if "over" in document:
        return _ended(rules, scores, player, last_round, document["over"])
    check(last_round or scores[player] < rules.target)
    return Table(_position(rules, scores, player, document), triggered=last_round)


def _ended(
    rules: Ruleset, scores: tuple[int, ...], player: int, last_round: bool, over: Mapping[str, Any]
) -> Table:
    reason, points = Reason(over["reason"]), int(over["points"])
    check(points >= 0 and not points % LEAST)
    check(not points or reason not in (Reason.NIETE, Reason.STOP, Reason.CLOVER))
    # At once, only who has won ends the game; in a full round a turn cannot tell (T6.3).
    wins = True if reason is Reason.CLOVER or rules.ending is Ending.AT_ONCE else None
    turn = Over(rules, reason, points, wins, scores, player, ())
    table = after_turn(Table(turn, triggered=last_round), turn)
    check(table.over)
    return table


def _position(
    rules: Ruleset, scores: tuple[int, ...], player: int, document: Mapping[str, Any]
) -> Position:
    card = None if document["card"] is None else PLAYABLE[document["card"]]
    position = Position(
        rules,
        card,
        aside(tuple(map(_dice, document["keeps"])), card is STRAIGHT),
        None if document["roll"] is None else _dice(document["roll"]),
        int(document["carried"]),
        int(document["tuttos"]),
        int(document["pending"]),
        scores,
        player,
    )
    check(not impossibilities(position))
    check(position.tuttos >= 0 and position.pending >= 0 and not position.carried % LEAST)
    # Every Plus/Minus Tutto of the turn has earned its points (T5.5).
    check(position.carried >= PLUS_MINUS.prize * position.pending)
    # A Niete does not lie there: the turn was over with it (T2.1).
    check(position.phase is not Phase.KEEP or prospect(position).can.most is not None)
    return position


def _dice(told: list[int]) -> Dice:
    dice = as_dice(told)
    check(set(dice) <= set(FACES))
    return dice


def dealt(
    table: Table, event: Event, hidden: Any, chance: Chance
) -> tuple[dict[str, Any], list[int] | None]:
    """The card or the dice of a draw or a roll, and the pile that is left.

    A pile is a list of places in ``PILE``, the top first; None before the first draw (T4.3).
    """
    if isinstance(event, Draw):
        top, *rest = _pile(hidden) or chance.shuffle(len(PILE))
        return {"card": PILE[top].id}, rest
    assert isinstance(table.turn, Position), "nothing is rolled when the game is over"
    return {"dice": list(chance.dice(table.turn.dice_to_roll))}, hidden


def _pile(hidden: Any) -> list[int]:
    """The pile that was hidden. Raises ValueError if it is none."""
    if hidden is None:
        return []
    check(isinstance(hidden, list) and all(type(place) is int for place in hidden))
    check(len(set(hidden)) == len(hidden) and set(hidden) <= set(range(len(PILE))))
    pile: list[int] = hidden
    return pile
