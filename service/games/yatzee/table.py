"""A table that is kept between two events, and what chance brings to it."""

from collections.abc import Mapping
from typing import Any

from service.games.yatzee.categories import CATEGORIES, PLACE, Category
from service.games.yatzee.events import Event, Throw
from service.games.yatzee.game import Table
from service.games.yatzee.position import Position, impossibilities
from service.games.yatzee.rulesets import THROWS, Ruleset
from service.games.yatzee.scoring import SIX
from service.games.yatzee.sheet import EMPTY, Scorecard, can_score
from service.games.yatzee.turn import Over, Reason
from service.rules.chance import Chance
from service.rules.dice import FACES, as_dice
from service.rules.kept import check


def saved(table: Table) -> dict[str, Any]:
    """All that the rest of the game depends on; of a game that is over, what was filled last."""
    turn = table.turn
    document = {"cards": table.cards, "player": table.player}
    if isinstance(turn, Over):
        return {**document, "last": turn.category}
    return {**document, "dice": turn.dice, "throw": turn.throw}


def loaded(rules: Ruleset, players: int, document: Mapping[str, Any]) -> Table:
    """The table that was saved; ValueError if no game can stand like this."""
    cards = tuple(_card(rules, card) for card in document["cards"])
    player = int(document["player"])
    check(len(cards) == players and 0 <= player < players)
    # Players take turns (Y4.2): those before this one have filled one category more.
    filled = [len(card) - card.count(None) for card in cards]
    if "last" in document:
        check(set(filled) == {len(EMPTY)} and player == players - 1)
        return Table(_ended(rules, cards[player], Category(document["last"])), cards, player)
    check(all(some == filled[player] + (i < player) for i, some in enumerate(filled)))
    return Table(_position(rules, cards[player], document), cards, player)


def _card(rules: Ruleset, told: list[Any]) -> Scorecard:
    card = tuple(None if points is None else int(points) for points in told)
    for category, points in zip(CATEGORIES, card, strict=True):
        check(points is None or can_score(rules, category, points))
    return card


def _ended(rules: Ruleset, card: Scorecard, last: Category) -> Over:
    points = card[PLACE[last]] or 0
    # What is written always brings something (Y1.3).
    return Over(rules, Reason.WRITTEN if points else Reason.STRUCK, last, points, card)


def _position(rules: Ruleset, card: Scorecard, document: Mapping[str, Any]) -> Position:
    dice = None if document["dice"] is None else as_dice(document["dice"])
    throw = None if document["throw"] is None else int(document["throw"])
    position = Position(rules, card, dice, throw)
    check(not impossibilities(position))
    check(set(dice or ()) <= set(FACES) and (throw is None or 0 < throw <= THROWS))
    return position


def dealt(table: Table, event: Event, hidden: Any, chance: Chance) -> tuple[dict[str, Any], Any]:
    """The dice of a throw; nothing is hidden, for six equal dice have no history."""
    assert isinstance(event, Throw), "only a throw waits for dice"
    return {"dice": list(chance.dice(SIX - len(event.held)))}, hidden
